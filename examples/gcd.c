/*
 * title: Greatest common divisor
 * source: DBG10, Section IV-B; the program itself is Euclid's
 * look at: Almost everything can run. Only the tests for zero know something already: a number whose sign was turned is
 *          not zero. There is little to generalize.
 * expect: infeasible prefixes (50 instructions) = 4
 * expect: generalized paths, average = 2
 * expect: generalized paths, maximum = 2
 */
int gcd(int a, int b) {
    int r;
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    if (a == 0)
        return b;
    if (b == 0)
        return a;
    do {
        r = a % b;
        a = b;
        b = r;
    } while (b != 0);
    return a;
}

#pragma culdesac ints unbounded
