#include <stdlib.h>

struct stack {
    unsigned *items;
    unsigned top, most;
};

/* A stack with room for so many numbers, or a null pointer. */
struct stack *create(unsigned most)
{
    struct stack *s;

    if (most == 0 || most > 64)
        return NULL;
    s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    s->items = calloc(most, sizeof *s->items);
    if (s->items == NULL) {
        free(s);
        return NULL;
    }
    s->top = 0;
    s->most = most;
    return s;
}
