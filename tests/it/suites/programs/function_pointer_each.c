#include <stddef.h>

typedef struct Item {
    int value;
    struct Item *next;
} Item;

typedef void (*Visitor)(Item *, void *);

void count_large(Item *item, void *context) {
    int *count = context;
    if (item->value > 10)
        (*count)++;
}

void each(Item *first, Visitor visit, void *context) {
    for (Item *item = first; item; item = item->next)
        visit(item, context);
}

int large(Item *first) {
    int count = 0;
    each(first, count_large, &count);
    return count;
}
