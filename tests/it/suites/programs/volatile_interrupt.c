static volatile int pending;
static volatile long ticks;
static int handled;

void on_timer(void)
{
    pending = 1;
    ticks++;
}

int serve(int most)
{
    long start = ticks;
    int n = 0;

    if (most < 0)
        return -1;
    while (n < most && n < 3) {
        if (!pending)
            return n;
        pending = 0;
        n++;
        if (ticks < start)
            return -2;
    }
    handled = n;
    if (handled > most)
        return -3;
    return handled == 3 ? 100 : handled;
}
