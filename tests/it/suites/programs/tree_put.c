#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

/* Puts a key into a search tree; says whether it is new, -1 without memory. */
int put(struct tree **at, int key)
{
    while (*at != NULL) {
        if ((*at)->key == key)
            return 0;
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    struct tree *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return -1;
    fresh->key = key;
    *at = fresh;
    return 1;
}
