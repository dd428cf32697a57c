#include <assert.h>
#include <stdlib.h>

enum light { RED, RED_AMBER, GREEN, AMBER };

static enum light following(enum light l)
{
    switch (l) {
    case RED: return RED_AMBER;
    case RED_AMBER: return GREEN;
    case GREEN: return AMBER;
    case AMBER: return RED;
    }
    abort();
}

int crossing(enum light first, unsigned seconds)
{
    enum light second = first == RED ? GREEN : RED;

    if (first > AMBER)
        exit(2);
    if (seconds > 5)
        seconds %= 6;
    while (seconds--) {
        first = following(first);
        if (first == RED)
            second = GREEN;
        else if (second == GREEN)
            second = AMBER;
        else
            second = RED;
        assert(first != GREEN || second != GREEN);
    }
    if (second == AMBER)
        return 1;
    return first == GREEN ? 2 : 0;
}
