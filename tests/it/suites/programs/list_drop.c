#include <stdlib.h>

typedef struct item {
    int key;
    char name[8];
    struct item *next;
} item;

int dropped;

/* Takes the item with a key out of a list. */
int drop(item **list, int key)
{
    while (*list) {
        if ((*list)->key == key) {
            item *old = *list;
            *list = old->next;
            if (old->name[0] == 'x')
                dropped++;
            free(old);
            return 1;
        }
        list = &(*list)->next;
    }
    return 0;
}
