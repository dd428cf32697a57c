#include <stddef.h>

struct tree {
    int key;
    struct tree *left, *right;
};

struct tree *root;

/* Turns the root to the right. */
int rotate(void)
{
    if (!root || !root->left)
        return 0;
    struct tree *left = root->left;
    root->left = left->right;
    left->right = root;
    root = left;
    return left->key < 3;
}
