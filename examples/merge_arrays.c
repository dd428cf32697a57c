/*
 * title: Merging two arrays, contents and all
 * source: AGVW16, appendix
 * look at: The elements are really compared and copied. As each comparison looks at an element that none has looked at
 *          before, every order of outcomes is possible: contents rule out no path that the indices allow.
 * expect: P(30) = 634
 * expect: P(50) = 12412
 * expect: FP(30) = 87
 *
 * The result goes to its own array, so a and b are never written.
 */
void merge_arrays(int *a, int la, int *b, int lb, int *A) {
    int ia, ib;
    ia = 0;
    ib = 0;
    while (ia < la && ib < lb) {
        if (a[ia] < b[ib]) {
            A[ia + ib] = a[ia];
            ia = ia + 1;
        } else {
            A[ia + ib] = b[ib];
            ib = ib + 1;
        }
    }
    while (ia < la) {
        A[ia + ib] = a[ia];
        ia = ia + 1;
    }
    while (ib < lb) {
        A[ia + ib] = b[ib];
        ib = ib + 1;
    }
}

#pragma culdesac ints unbounded
