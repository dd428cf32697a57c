/*
 * title: Kinds of triangles
 * source: DBG10, Section IV-B; the program itself is a classic of testing
 * look at: Equal sides are counted by adding up numbers, and the sum is asked for again and again: most infeasible paths
 *          are decisions about a number that is known.
 * expect: infeasible prefixes (50 instructions) = 21
 * expect: generalized paths, average = 1.57
 * expect: generalized paths, maximum = 4
 *
 * 1 is scalene, 2 isosceles, 3 equilateral, 4 no triangle.
 */
int tritype(int i, int j, int k) {
    int sum;
    if (i <= 0 || j <= 0 || k <= 0)
        return 4;
    sum = 0;
    if (i == j)
        sum = sum + 1;
    if (i == k)
        sum = sum + 2;
    if (j == k)
        sum = sum + 3;
    if (sum == 0) {
        if (i + j <= k || j + k <= i || i + k <= j)
            return 4;
        return 1;
    }
    if (sum > 3)
        return 3;
    if (sum == 1 && i + j > k)
        return 2;
    if (sum == 2 && i + k > j)
        return 2;
    if (sum == 3 && j + k > i)
        return 2;
    return 4;
}

#pragma culdesac ints unbounded
