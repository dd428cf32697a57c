typedef struct {
    int low;
    int high;
} Interval;

static Interval hull(Interval a, Interval b)
{
    Interval result;
    result.low = a.low < b.low ? a.low : b.low;
    result.high = a.high > b.high ? a.high : b.high;
    return result;
}

/* 0: empty, 1: apart, 2: they touch or overlap, 3: one within the other */
int relation(Interval a, Interval b)
{
    if (a.low > a.high || b.low > b.high)
        return 0;

    Interval both = hull(a, b);

    if (both.low > both.high)
        return -1;
    if ((both.low == a.low && both.high == a.high)
        || (both.low == b.low && both.high == b.high))
        return 3;
    if (a.high < b.low || b.high < a.low)
        return 1;
    return 2;
}
