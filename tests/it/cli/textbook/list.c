#include <stdio.h>
#define MAX 10

int value[MAX], next[MAX];
int head = -1, freeSlot = 0;

int insertFront(int v)
{
    if (freeSlot >= MAX)
        return 0;
    int slot = freeSlot++;
    value[slot] = v;
    next[slot] = head;
    head = slot;
    return 1;
}

int sum(void)
{
    int total = 0;
    for (int p = head; p != -1; p = next[p])
        total += value[p];
    return total;
}

int main()
{
    insertFront(3);
    insertFront(4);
    insertFront(5);
    printf("sum = %d\n", sum());
    return sum() == 12 ? 0 : 1;
}
