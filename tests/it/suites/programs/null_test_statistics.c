typedef struct {
    long count;
    int least, greatest;
} statistics;

static void reset(statistics *s)
{
    if (s) {
        s->count = 0;
        s->least = 0;
        s->greatest = 0;
    }
}

int record(statistics *s, const short *value, _Bool *changed)
{
    if (changed)
        *changed = 0;
    if (s == 0)
        return -1;
    if (value == 0) {
        reset(s);
        return s->count == 0 ? 0 : -2;
    }
    if (s->count < 0 || s->count >= 1000000)
        return -3;
    if (s->count == 0 || *value < s->least) {
        s->least = *value;
        if (changed)
            *changed = 1;
    }
    if (s->count == 0 || *value > s->greatest) {
        s->greatest = *value;
        if (changed)
            *changed = 1;
    }
    s->count++;
    return s->greatest - 1 < s->least;
}
