#include <stdlib.h>

struct item {
    int value;
    struct item *below;
};

static struct item *top;
static int count;

int push(int value)
{
    struct item *item = malloc(sizeof *item);

    if (item == NULL)
        return 0;
    item->value = value;
    item->below = top;
    top = item;
    count++;
    return 1;
}

/* Adds the two upper values; 0 where there are fewer. */
int add(void)
{
    struct item *item = top;

    if (count < 2)
        return 0;
    top = item->below;
    top->value += item->value;
    free(item);
    count--;
    if (top->value == 12)
        return 2;
    return 1;
}
