/*
 * title: Merging two sorted arrays
 * source: AGVW16, Table I and appendix
 * look at: Three loops in a row. Once the first has ended, at most one of the other two can still run, so most
 *          paths through the graph can never be taken.
 * expect: P(30) = 1224
 * expect: P(50) = 24434
 * expect: P(100) = 25862000
 * expect: FP(30) = 140
 * expect: FP(50) = 2300
 * expect: FP(100) = 2359292
 * expect: P'(30) = 140
 * expect: P'(50) = 2300
 * expect: P'(100) = 2359292
 *
 * The element comparison is a free choice: what matters here are the indices.
 */
void merge(int *a, int la, int *b, int lb, int *A) {
    int ia, ib;
    ia = 0;
    ib = 0;
    while (ia < la && ib < lb) {
        if (nondet()) {
            A[ia + ib] = a[ia];
            ia = ia + 1;
        } else {
            A[ia + ib] = b[ib];
            ib = ib + 1;
        }
    }
    /* The tails: the copied element is left out. */
    while (ia < la) {
        ia = ia + 1;
    }
    while (ib < lb) {
        ib = ib + 1;
    }
}

#pragma culdesac ints unbounded
