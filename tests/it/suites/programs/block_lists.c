#include <stdlib.h>

struct entry {
    int key, uses;
    struct entry *next;
};

struct table {
    struct entry **heads;
    unsigned size;
};

/* Counts a use of a key, which it adds where there is none; -1 where there is no memory. */
int count_use(struct table *table, int key)
{
    unsigned at = (unsigned)key % table->size;
    struct entry *entry = table->heads[at];

    while (entry && entry->key != key)
        entry = entry->next;
    if (entry == NULL) {
        entry = malloc(sizeof *entry);
        if (entry == NULL)
            return -1;
        entry->key = key;
        entry->uses = 0;
        entry->next = table->heads[at];
        table->heads[at] = entry;
    }
    return ++entry->uses;
}
