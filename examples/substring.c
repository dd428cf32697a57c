/*
 * title: Searching for a substring
 * source: AGVW16, Table III and appendix (the inner index corrected: it starts at 0 and is what the match advances)
 * look at: After a partial match of n characters, the pattern is known to be longer than n: a later round that
 *          claims a full match after fewer can never run.
 * expect: P(30) = 1433
 * expect: P(50) = 195874
 * expect: P(100) = 42493470745
 * expect: FP(30) = 87
 * expect: FP(50) = 2108
 * expect: FP(100) = 4057068
 * expect: P'(30) = 87
 * expect: P'(50) = 2108
 * expect: P'(100) = 4058975
 *
 * The character comparison is a free choice: what matters are the indices and lengths.
 */
int substring(int *s1, int l1, int *s2, int l2) {
    int i = 0, j;
    while (i <= l1 - l2) {
        j = 0;
        while (j != l2) {
            if (nondet()) {
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
