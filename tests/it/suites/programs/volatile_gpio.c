/* A debounced key behind a pointer to its port. */
enum key { UP, DOWN, UNSURE };

enum key debounce(const volatile unsigned char *port, volatile unsigned char *led, unsigned mask)
{
    int i, set = 0;

    if ((mask & 0xFFu) == 0) {
        *led = 0xFF;
        return UNSURE;
    }
    for (i = 0; i < 4; i++)
        if (*port & mask)
            set++;
    *led = (unsigned char)set;
    if (set == 4)
        return DOWN;
    if (set > 4)
        return UNSURE;
    return set == 0 ? UP : UNSURE;
}
