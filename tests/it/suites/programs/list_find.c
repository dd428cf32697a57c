#include <stddef.h>

enum state { FREE, USED, LOCKED };

struct region {
    enum state state;
    unsigned long start, length;
    char owner[4];
    struct region *next;
};

/* Finds the first free region with so much room that is not owned. */
const struct region *find(const struct region *first, unsigned long length)
{
    for (const struct region *at = first; at != NULL; at = at->next) {
        if (at->state != FREE || at->owner[0] != '\0')
            continue;
        if (at->length >= length)
            return at;
    }
    return NULL;
}
