// A count that a loop makes, and a line that needs it: is there an array for which the last `return 1` is reached? Every input that
// gets there has thirteen ones from the fourth element on.
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
