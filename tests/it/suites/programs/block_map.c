struct map {
    int *keys, *values;
    char *used;
    int size;
};

/* Puts a value under a key, by open addressing; false where the map is full. */
int put(struct map *m, int key, int value)
{
    int i, at;

    for (i = 0; i < m->size; i++) {
        at = (key % m->size + i) % m->size;
        if (at < 0)
            at += m->size;
        if (!m->used[at]) {
            m->used[at] = 1;
            m->keys[at] = key;
            m->values[at] = value;
            return 1;
        }
        if (m->keys[at] == key) {
            m->values[at] = value;
            return 2;
        }
    }
    return 0;
}
