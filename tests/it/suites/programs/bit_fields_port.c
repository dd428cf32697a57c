struct port {
    unsigned enabled : 1;
    unsigned direction : 1;
    unsigned mode : 2;
    unsigned level : 4;
    signed int trim : 5;
};

enum { OFF, SLOW, FAST, BURST };

int drive(struct port *p, unsigned level)
{
    if (!p->enabled || p->direction == 0)
        return 0;
    p->level = level;
    if (p->level != level) {
        p->mode = OFF;
        p->enabled = 0;
        return -1;
    }
    switch (p->mode) {
    case SLOW:
        return p->trim < 0 ? (int)p->level : (int)p->level + p->trim;
    case FAST:
        if (p->trim == 16)
            return -2;
        p->trim = 0;
        return 2 * (int)p->level;
    case BURST:
        p->mode++;
        return p->mode == OFF ? 3 : 4;
    }
    return 1;
}
