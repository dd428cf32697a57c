#include <stdlib.h>

#define LEVELS 4

unsigned most_frequent(const unsigned char *pixels, unsigned n)
{
    unsigned *counts = calloc(LEVELS, sizeof(unsigned));
    unsigned char *order = malloc(LEVELS);
    unsigned i, best = 0;

    if (!counts || !order) {
        free(counts);
        free(order);
        return 100;
    }
    for (i = 0; i < n && i < 6; i++)
        counts[pixels[i] / 64]++;
    for (i = 0; i < LEVELS; i++) {
        order[i] = (unsigned char)i;
        if (counts[i] > counts[best])
            best = i;
    }
    if (counts[best] == 0 && n > 0)
        best = 101;
    else
        best = order[best];
    free(order);
    free(counts);
    return best;
}
