void get_pair(int *a, int *b);
_Bool next_range(short *from, short *to);

int greatest_of_pair(void)
{
    int a = 0, b = 0;

    get_pair(&a, &b);
    if (a == b)
        return 0;
    return a > b ? 1 : 2;
}

int overlap(short low, short high)
{
    short from, to;
    int n = 0;

    if (low > high)
        return -1;
    while (next_range(&from, &to) && n < 3) {
        if (from > to) {
            short t = from;
            from = to;
            to = t;
        }
        if (from > to)
            return -2;
        if (to < low || from > high)
            continue;
        n++;
    }
    if (greatest_of_pair() == 1)
        n += 10;
    return n;
}
