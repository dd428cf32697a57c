#include <stdlib.h>
#include <string.h>

static char **names;
static int size, room;

/* The position of a name; -1 where it is not there. */
static int position(const char *name)
{
    int i;

    for (i = 0; i < size; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int enter(const char *name)
{
    char *copy;

    if (position(name) >= 0)
        return 0;
    if (size == room) {
        char **more = realloc(names, (size_t)(room + 2) * sizeof *more);

        if (more == NULL)
            return -1;
        names = more;
        room += 2;
    }
    copy = malloc(strlen(name) + 1);
    if (copy == NULL)
        return -1;
    strcpy(copy, name);
    names[size++] = copy;
    return 1;
}

int leave(const char *name)
{
    int at = position(name);

    if (at < 0)
        return 0;
    free(names[at]);
    size--;
    if (at != size)
        names[at] = names[size];
    return 1;
}
