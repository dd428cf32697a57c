#include <stddef.h>

struct cell {
    int value;
    struct cell *next;
};

/* Merges two ascending lists. */
struct cell *merge(struct cell *a, struct cell *b)
{
    struct cell *first = NULL, *last = NULL;

    while (a != NULL && b != NULL) {
        struct cell *least;
        if (a->value <= b->value) {
            least = a;
            a = a->next;
        } else {
            least = b;
            b = b->next;
        }
        if (last == NULL)
            first = least;
        else
            last->next = least;
        last = least;
    }
    if (last == NULL)
        return a != NULL ? a : b;
    last->next = a != NULL ? a : b;
    return first;
}
