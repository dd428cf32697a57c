/*
 * title: Selection sort
 * source: DBG10, Section IV-B
 * look at: Loops of fixed length over elements that move: some paths cannot run since a counter says so, others since the
 *          elements compared have been compared before.
 * expect: infeasible prefixes (50 instructions) = 460
 * expect: generalized paths, average = 8702.99
 * expect: generalized paths, maximum = 45579
 */
#define N 5
void selection(int a[N]) {
    int i, j, least, other = 0;
    for (i = 0; i < N - 1; i++) {
        least = i;
        for (j = i + 1; j < N; j++)
            if (a[j] < a[least])
                least = j;
        if (least != i) {
            other = a[i];
            a[i] = a[least];
            a[least] = other;
        }
    }
}

#pragma culdesac ints unbounded
