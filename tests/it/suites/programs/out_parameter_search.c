#include <stddef.h>

/* Binary search in values that ascend; where it was or should be. */
_Bool search(const long *values, size_t n, long wanted, size_t *place)
{
    size_t low = 0, high = n;

    if (n > 64) {
        *place = n;
        return 0;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (middle >= n)
            return 0;
        if (values[middle] == wanted) {
            *place = middle;
            return 1;
        }
        if (values[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    *place = low;
    return 0;
}
