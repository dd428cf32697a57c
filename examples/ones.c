/*
 * title: Counting ones
 * source: ST12, Section 2, the running example in own words
 * look at: Which arrays get to the line that needs thirteen ones? The Reach tab counts the loop's two kinds of rounds apart, and finds one.
 * reach: return 1;
 */
int ones(int A[], int n) {
    int k = 0;
    for (int i = 3; i < n; ++i) {
        if (A[i] == 1)
            ++k;
    }
    if (k > 12)
        return 1;
    return 0;
}
