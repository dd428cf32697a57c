/*
 * title: Erase and refill
 * source: DBG10, appendix
 * look at: Whether an element equals e is free, but how often each loop runs is not: the counters decide it. An infeasible
 *          path is one that leaves a loop too early or too late, whatever the array holds.
 * expect: infeasible prefixes (50 instructions) = 211
 * expect: generalized paths, average = 241.12
 * expect: generalized paths, maximum = 19448
 *
 * Elements that equal e are taken out, those behind move up, and the free places at the end are filled with f. The array
 * has 10 elements: with 5 there are fewer prefixes than the paper's table has.
 */
#define N 10
void erfill(int a[N], int e, int f) {
    int i = 0, j, k = N;
    while (i < k) {
        if (a[i] == e) {
            for (j = i + 1; j < k; j++)
                a[j - 1] = a[j];
            k--;
        } else
            i++;
    }
    while (k < N)
        a[k++] = f;
}

#pragma culdesac ints unbounded
