int roll(int sides);

static int fair(int sides)
{
    int r = roll(sides);
    return r < 1 ? 1 : r > sides ? sides : r;
}

int attack(int armour, int *damage)
{
    int hit = fair(20);

    *damage = 0;
    if (hit == 20) {
        *damage = fair(6) + fair(6);
        return *damage > 12 ? 4 : 3;
    }
    if (hit == 1)
        return 0;
    if (hit < armour)
        return 1;
    *damage = fair(6);
    if (*damage == 0)
        return -1;
    return 2;
}
