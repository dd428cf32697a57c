/*
 * title: Bubble sort
 * source: AGVW16, Table II and appendix
 * look at: The inner loop runs equally often in every round, so its iterations of one round decide those of the next.
 * expect: P(30) = 1474
 * expect: P(50) = 643910
 * expect: P(100) = 2375643869269
 * expect: FP(30) = 20
 * expect: FP(50) = 217
 * expect: FP(100) = 420138
 * expect: P'(30) = 20
 * expect: P'(50) = 217
 * expect: P'(100) = 947489
 *
 * The element comparison is a free choice and the swap is one assignment: what matters are the flag and the index.
 */
void bubble(int *a, int l) {
    int i, swapped = 1;
    while (swapped != 0) {
        swapped = 0;
        i = 1;
        while (i < l) {
            if (nondet()) {
                swapped = 1;
            }
            i++;
        }
    }
}

#pragma culdesac ints unbounded
