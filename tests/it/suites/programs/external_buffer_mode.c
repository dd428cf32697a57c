extern int mode;
extern unsigned char flags;
static int changes;

void poll_keys(void);
void redraw(int mode);

int interact(int rounds)
{
    int before = mode;

    if (rounds < 0)
        return -1;
    if (rounds > 3)
        rounds = 3;
    while (rounds-- > 0) {
        poll_keys();
        if (mode == before)
            continue;
        changes = 1;
        if (mode < 0 || mode > 2) {
            mode = before;
            break;
        }
        redraw(mode);
        before = mode;
    }
    if (flags & 0x40)
        return changes ? 3 : 2;
    return mode == before ? 0 : 1;
}
