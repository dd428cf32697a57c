#include <stdlib.h>

struct vector {
    int *data;
    int size;
    int room;
};

/* Adds a value at the end; false where there is no memory. */
int append(struct vector *v, int value)
{
    if (v->size < 0 || v->size > v->room)
        return 0;
    if (v->size == v->room) {
        int room = v->room > 0 ? 2 * v->room : 4;
        int *data = realloc(v->data, (size_t)room * sizeof *data);

        if (data == NULL)
            return 0;
        v->data = data;
        v->room = room;
    }
    v->data[v->size] = value;
    v->size++;
    return 1;
}
