/* A combination lock with three digits that blocks after too many tries. */
static int entered, position, failures;
static const int secret[3] = { 4, 0, 7 };

void press(int digit)
{
    if (digit < 0 || digit > 9 || position == 3)
        return;
    if (secret[position] == digit)
        entered++;
    position++;
}

void clear(void)
{
    entered = position = 0;
}

int turn(void)
{
    static _Bool blocked;

    if (blocked)
        return -2;
    if (position < 3)
        return -1;
    if (entered == 3) {
        failures = 0;
        return 1;
    }
    if (entered > position)
        return 3;
    failures++;
    clear();
    if (failures >= 2)
        blocked = 1;
    return 0;
}
