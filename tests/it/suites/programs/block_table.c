#include <stdlib.h>

int *table;
int count;

/* Doubles the table, and sets what is new to -1. */
int grow(void)
{
    int *larger;
    int i;

    if (count < 1 || count > 8 || table == NULL)
        return 0;
    larger = malloc(2 * (size_t)count * sizeof *larger);
    if (larger == NULL)
        return -1;
    for (i = 0; i < 2 * count; i++)
        larger[i] = i < count ? table[i] : -1;
    free(table);
    table = larger;
    count *= 2;
    return count;
}
