#include <stddef.h>

struct part {
    int size;
    struct part *next;
};

struct part *kept;

/* Moves the parts of a size to the list of kept ones, behind a first node of its own. */
struct part *split(struct part *all, int size)
{
    struct part before = {0, NULL};
    struct part *last = &before;

    while (all != NULL) {
        struct part *next = all->next;
        if (all->size == size) {
            all->next = kept;
            kept = all;
        } else {
            last->next = all;
            last = all;
        }
        all = next;
    }
    last->next = NULL;
    if (before.next == NULL && kept != NULL)
        return kept->next;
    return before.next;
}
