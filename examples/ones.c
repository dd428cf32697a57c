/*
 * title: Counting ones
 * source: ST12, Section 2, the running example in own words
 * look at: Is the line that needs thirteen ones reached? The Reach tab sums up the loop by two path counters, one for rounds that
 *          count and one for the others, and gets an input from them. Every such input has thirteen ones from the fourth element on.
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
