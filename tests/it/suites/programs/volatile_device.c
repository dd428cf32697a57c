struct device {
    volatile unsigned int control;
    volatile unsigned int state;
    volatile unsigned short fifo;
    unsigned int sent;
};

static int wait_idle(struct device *d)
{
    int spins = 0;
    while (d->state & 1u)
        if (++spins > 3)
            return 0;
    return 1;
}

int send(struct device *d, const unsigned short *words, int n)
{
    if (n <= 0 || n > 16)
        return -1;
    d->control = 0x3u;
    if (!wait_idle(d))
        return -2;
    for (int i = 0; i < n; i++) {
        d->fifo = words[i];
        if (d->state & 0x10u) {
            d->control = 0;
            return i;
        }
        d->sent++;
    }
    if (d->control != 0x3u)
        return -3;
    return n;
}
