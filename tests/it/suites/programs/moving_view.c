#include <stddef.h>

/* A part of a message, which stays where it is. */
struct view {
    const unsigned char *bytes;
    int length;
};

int payload(const unsigned char *message, size_t length, struct view *to)
{
    if (!message || !to)
        return -1;
    if (length < 3)
        return -2;
    to->bytes = message + 2;
    to->length = (int)(length - 2);
    return message[2] > 3 && message[0] == 7;
}
