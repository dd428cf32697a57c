// The loop counts in fours, so it never ends at 15, however often it runs.
int one_loop(int n) {
    int i = 0;
    while (i < n)
        i += 4;
    if (i == 15)
        return 1;
    return 0;
}
