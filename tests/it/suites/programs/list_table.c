#include <stdlib.h>

struct entry {
    int key, value;
    struct entry *next;
};

struct table {
    struct entry *slots[4];
    int count;
};

/* Sets the value of a key; says whether the key is new, -1 without memory. */
int set(struct table *table, int key, int value)
{
    unsigned slot = (unsigned)key % 4u;

    for (struct entry *at = table->slots[slot]; at != NULL; at = at->next)
        if (at->key == key) {
            at->value = value;
            return 0;
        }
    struct entry *fresh = malloc(sizeof(struct entry));
    if (fresh == NULL)
        return -1;
    fresh->key = key;
    fresh->value = value;
    fresh->next = table->slots[slot];
    table->slots[slot] = fresh;
    table->count++;
    return 1;
}
