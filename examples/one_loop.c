/*
 * title: Counting in fours
 * source: ST12, Table 2, benchmark OneLoop; written anew
 * look at: The loop counts in fours, so it never ends at 15, however often it runs.
 * reach: return 1;
 */
int one_loop(int n) {
    int i = 0;
    while (i < n)
        i += 4;
    if (i == 15)
        return 1;
    return 0;
}
