enum { SHELVES = 3, SLOTS = 4 };

typedef struct {
    struct {
        unsigned char slots[SLOTS];
        short weight;
    } shelves[SHELVES];
    long long revision;
} inventory;

inventory stock = { { { { 1, 0, 0, 0 }, 10 } }, 1 };

static int free_slots(inventory v, int shelf)
{
    int n = 0;
    for (int i = 0; i < SLOTS; i++)
        n += v.shelves[shelf].slots[i] == 0;
    return n;
}

int place(int shelf, unsigned char item, short weight)
{
    inventory next = stock;

    if (shelf < 0 || shelf >= SHELVES || item == 0)
        return -1;
    if (weight <= 0 || next.shelves[shelf].weight > 500 - weight)
        return -2;
    if (free_slots(next, shelf) == 0)
        return -3;
    int i = 0;
    while (i < SLOTS && next.shelves[shelf].slots[i] != 0)
        i++;
    if (i == SLOTS)
        return -4;
    next.shelves[shelf].slots[i] = item;
    next.shelves[shelf].weight += weight;
    stock = next;
    return i;
}
