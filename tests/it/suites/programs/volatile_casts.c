/* Plain objects that are read through pointers to volatile: by casts, by a macro, by a pointer that is declared so. */
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))

struct channel {
    unsigned int head, tail;
    int slots[4];
};

static int spin(volatile int *flag, int most)
{
    int n = 0;
    while (*flag == 0)
        if (++n >= most)
            return -1;
    return n;
}

int receive(struct channel *c, int *flag, int at)
{
    if (spin(flag, 3) < 0)
        return -1;
    if (READ_ONCE(c->head) == c->tail)
        return -2;
    if (at < 0 || at > 3)
        return -3;
    if (((volatile struct channel *)c)->head != *(volatile unsigned int *)&c->head)
        return -4;
    return *(volatile int *)&c->slots[at] > 9 ? 1 : 0;
}
