#include <stddef.h>

struct seat {
    int taken;
    struct seat *left, *right;
};

/* Takes a seat out of a ring and gives the one to its right, or none where it was the last one. */
struct seat *leave(struct seat *seat)
{
    if (seat == NULL)
        return NULL;
    if (seat->right == seat)
        return NULL;
    seat->left->right = seat->right;
    seat->right->left = seat->left;
    if (seat->taken && seat->right->taken)
        seat->right->taken = 0;
    return seat->right;
}
