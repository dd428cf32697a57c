struct clock {
    unsigned char hour, minute, second;
    signed char zone;
    long day;
    _Bool alarm;
    char label[4];
};

/* One second later; 1 if the alarm rings. */
int tick(struct clock *c)
{
    if (c->hour > 23 || c->minute > 59 || c->second > 59) {
        c->hour = c->minute = c->second = 0;
        c->label[0] = '?';
        return -1;
    }
    if (++c->second == 60) {
        c->second = 0;
        if (++c->minute == 60) {
            c->minute = 0;
            if (++c->hour == 24) {
                c->hour = 0;
                if (c->day < 100000)
                    c->day++;
            }
        }
    }
    if (c->second >= 60)
        return -2;
    if (c->alarm && c->hour == 6 && c->minute == 30) {
        c->alarm = c->label[1] == 'r';
        return 1;
    }
    return c->zone < 0 ? 2 : 0;
}
