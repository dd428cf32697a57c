#include <stdbool.h>

enum { SIZE = 8 };

static unsigned char ring[SIZE];
static unsigned head, tail;
static bool overrun;

void put(unsigned char byte)
{
    unsigned following = (head + 1) % SIZE;

    if (following == tail) {
        overrun = true;
        return;
    }
    ring[head] = byte;
    head = following;
}

int get(void)
{
    if (overrun) {
        overrun = false;
        head = tail;
        return -2;
    }
    if (head == tail)
        return -1;
    if (head >= SIZE || tail >= SIZE)
        return -3;
    int byte = ring[tail];
    tail = (tail + 1) % SIZE;
    if (byte == 0x7E && head != tail)
        return 256 + ring[tail];
    return byte;
}
