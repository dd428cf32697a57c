#include <stdlib.h>

/* How many of the values are less than the one before; sorts a copy. */
int disorder(const int *values, int n)
{
    int moved = 0;

    if (n < 2 || n > 4)
        return 0;
    int *copy = malloc(n * sizeof *copy);
    if (copy == NULL)
        return -1;
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j > 0 && copy[j - 1] > values[i]) {
            copy[j] = copy[j - 1];
            j--;
        }
        copy[j] = values[i];
        moved += j != i;
    }
    if (copy[0] > copy[1])
        moved = -2;
    free(copy);
    return moved;
}
