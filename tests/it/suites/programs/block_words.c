#include <stdlib.h>
#include <string.h>

struct words {
    char **items;
    int count;
};

/* Takes a word out, and frees it; 0 where it is not there. */
int forget(struct words *words, const char *word)
{
    int i = 0;

    while (i < words->count && strcmp(words->items[i], word) != 0)
        i++;
    if (i == words->count)
        return 0;
    free(words->items[i]);
    words->count--;
    if (i < words->count)
        words->items[i] = words->items[words->count];
    return 1;
}
