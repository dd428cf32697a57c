#include <stdint.h>

typedef int64_t money;

static int digits(uint64_t v)
{
    int n = 1;
    while (v >= 10) {
        v /= 10;
        n++;
    }
    return n;
}

/* How wide an amount is in print, with a sign if it has one. */
int width(money m, signed char fill)
{
    uint64_t magnitude;
    int n;

    if (m == INT64_MIN)
        return 20;
    magnitude = m < 0 ? (uint64_t)-m : (uint64_t)m;
    if (magnitude > 0x7FFFFFFFFFFFFFFFu)
        return -1;
    n = digits(magnitude) + (m < 0);
    if (n > 20)
        return -2;
    if (fill < 0)
        fill = fill == -128 ? 127 : -fill;
    if (n < fill)
        n = fill;
    return n;
}
