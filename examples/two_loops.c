// The second loop waits for a distance of 7 between two even numbers: nothing gets behind it.
int two_loops(int n) {
    int i = 0;
    int j = 0;
    while (i < n)
        i += 4;
    while (i != j + 7)
        j += 2;
    return 1;
}
