/*
 * title: Bubble sort, contents and all
 * source: AGVW16, appendix
 * look at: What a round swaps, the next compares in order: after the first round the greatest element is the last. With a free
 *          choice in place of the comparison 32 paths of length at most 40 would seem feasible.
 * expect: P(30) = 494
 * expect: P(40) = 6093
 * expect: FP(30) = 13
 * expect: FP(40) = 28
 */
void bubble_arrays(int *a, int l) {
    int i, swapped = 1, tmp;
    while (swapped != 0) {
        swapped = 0;
        i = 1;
        while (i < l) {
            if (a[i - 1] > a[i]) {
                tmp = a[i];
                a[i] = a[i - 1];
                a[i - 1] = tmp;
                swapped = 1;
            }
            i++;
        }
    }
}

#pragma culdesac ints unbounded
