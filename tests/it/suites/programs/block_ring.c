struct ring {
    unsigned char *bytes;
    unsigned head, tail, size;
};

/* Takes the oldest byte out of a ring, or -1. */
int get(struct ring *r)
{
    int byte;

    if (r->size == 0 || r->tail >= r->size || r->head >= r->size)
        return -2;
    if (r->head == r->tail)
        return -1;
    byte = r->bytes[r->tail];
    r->tail++;
    if (r->tail == r->size)
        r->tail = 0;
    return byte;
}
