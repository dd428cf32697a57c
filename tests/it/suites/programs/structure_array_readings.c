struct reading {
    int value;
    unsigned char sensor;
    _Bool valid;
};

/* The sensor with the greatest valid value, or -1. */
int hottest(const struct reading r[], int n)
{
    int best = -1;

    for (int i = 0; i < n; i++) {
        if (!r[i].valid)
            continue;
        if (best < 0 || r[i].value > r[best].value)
            best = i;
    }
    if (best >= n)
        return -2;
    return best < 0 ? -1 : r[best].sensor;
}
