/*
 * title: Searching for a substring, contents and all
 * source: AGVW16, appendix (the inner index corrected as in substring.c)
 * look at: What one round learns about the characters decides comparisons of later rounds. With a free choice in
 *          place of the comparison 336 paths of length at most 40 would seem feasible.
 * expect: P(30) = 1433
 * expect: P(40) = 16788
 * expect: FP(30) = 87
 * expect: FP(40) = 308
 */
int substring_arrays(int *s1, int l1, int *s2, int l2) {
    int i = 0, j;
    while (i <= l1 - l2) {
        j = 0;
        while (j != l2) {
            if (s2[j] == s1[i + j]) {
                j++;
            } else {
                break;
            }
        }
        if (j == l2) {
            return 1;
        }
        i++;
    }
    return 0;
}

#pragma culdesac ints unbounded
