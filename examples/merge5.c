/*
 * title: Merging five and five
 * source: DBG10, appendix
 * look at: The counters have known values everywhere, so a path that leaves a loop at the wrong time can never run; the
 *          elements compared are always new ones, and never the reason.
 * expect: infeasible prefixes (50 instructions) = 504
 * expect: generalized paths, average = 37.28
 * expect: generalized paths, maximum = 300
 */
#define N 5
#define M 5
void merge5(int t1[N], int t2[M], int t3[N + M]) {
    int i = 0, j = 0, k = 0;
    while (i < N && j < M) {
        if (t1[i] < t2[j])
            t3[k] = t1[i++];
        else
            t3[k] = t2[j++];
        k++;
    }
    while (i < N)
        t3[k++] = t1[i++];
    while (j < M)
        t3[k++] = t2[j++];
}

#pragma culdesac ints unbounded
