int extremes(const int *values, int n, int *least, int *greatest)
{
    const int *p = values, *end;

    if (n <= 0)
        return 0;
    end = values + n;
    *least = *greatest = *p;
    while (++p < end) {
        if (*p < *least)
            *least = *p;
        else if (*p > *greatest)
            *greatest = *p;
    }
    if (*least > *greatest)
        return -1;
    if (*least == *greatest)
        return 1;
    return *least < 0 && *greatest > 0 ? 3 : 2;
}
