/*
 * title: Two even numbers
 * source: ST12, Table 2, benchmark TwoLoops; written anew
 * look at: The second loop waits for a distance of 7 between two even numbers: nothing gets behind it.
 * reach: return 1;
 */
int two_loops(int n) {
    int i = 0;
    int j = 0;
    while (i < n)
        i += 4;
    while (i != j + 7)
        j += 2;
    return 1;
}
