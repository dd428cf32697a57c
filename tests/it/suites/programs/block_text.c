#include <stdlib.h>
#include <string.h>

struct text {
    char *chars;
    size_t length;
};

/* Replaces a text by a copy of another one. */
int set(struct text *t, const char *from)
{
    size_t length = strlen(from);
    char *copy;

    if (length > 8)
        return -1;
    copy = malloc(length + 1);
    if (copy == NULL)
        return 0;
    memcpy(copy, from, length + 1);
    free(t->chars);
    t->chars = copy;
    t->length = length;
    return 1;
}
