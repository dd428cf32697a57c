/*
 * title: Greatest common divisor
 * source: DBG10, Section IV-B
 * look at: Almost everything can run: there is little to generalize.
 * expect: infeasible prefixes (50 instructions) = 4
 * expect: generalized paths, average = 2
 * expect: generalized paths, maximum = 2
 */
int gcd(int a, int b) {
    int r;
    while (b != 0) {
        r = a % b;
        a = b;
        b = r;
    }
    return a;
}
