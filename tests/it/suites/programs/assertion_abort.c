#include <stdlib.h>

static unsigned checked_add(unsigned a, unsigned b)
{
    if (a + b < a)
        abort();
    return a + b;
}

unsigned total(unsigned net, unsigned char percent)
{
    unsigned tax;

    if (percent > 100)
        exit(3);
    if (net > 40000000u)
        exit(net > 4000000000u ? 4 : 5);
    tax = net * percent / 100;
    if (tax > net)
        abort();
    net = checked_add(net, tax);
    if (net == 0)
        exit(EXIT_FAILURE);
    return net;
}
