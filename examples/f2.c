/*
 * title: A product that forgets its argument
 * source: DBG10, Figure 1
 * look at: If the loop runs although x is not negative, then x is greater than 2, and the last test must fail. One
 *          infeasible path explains a whole family: any number of iterations, either sign of the first result.
 * expect: infeasible prefixes (50 instructions) = 58
 * expect: generalized paths, average = 29.03
 * expect: generalized paths, maximum = 30
 */
int f2(int x, int y) {
    int a, res, i = 2;
    if (x >= 0)
        a = x;
    else
        a = -x;
    if (y)
        res = 1;
    else
        res = -1;
    while (i < a)
        res *= i++;
    if (x < 2)
        res += 5;
    return res;
}

#pragma culdesac ints unbounded
