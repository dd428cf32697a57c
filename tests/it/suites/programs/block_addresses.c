#include <stdlib.h>

struct vector {
    void **data;
    int size, room;
};

/* Adds an item at the end; 0 where there is no memory. */
int append(struct vector *v, void *item)
{
    if (v->size == v->room) {
        int room = v->room + 4;
        void **data = realloc(v->data, room * sizeof *data);

        if (data == NULL)
            return 0;
        v->data = data;
        v->room = room;
    }
    v->data[v->size++] = item;
    return 1;
}

/* Where an item is, or -1. */
int position(const struct vector *v, const void *item)
{
    for (int i = 0; i < v->size; i++)
        if (v->data[i] == item)
            return i;
    return -1;
}

/* Removes an item, and gives it; NULL where there is none. */
void *removed(struct vector *v, int at)
{
    void *item;

    if (at < 0 || at >= v->size)
        return NULL;
    item = v->data[at];
    for (v->size--; at < v->size; at++)
        v->data[at] = v->data[at + 1];
    return item;
}
