/* A union that a parameter points to, one that a pointer to its numbers moves along, and one by value. */
union word {
    unsigned int bits;
    float number;
};

typedef union {
    int whole;
    unsigned char bytes[4];
} Cell;

int is_negative(const union word *word)
{
    if (word->bits >> 31)
        return 1;
    return word->bits == 7 ? 2 : 0;
}

int count(const union word *words, int n)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        if (words[i].bits == 5u)
            found++;
    return found > 1 ? -1 : found;
}

int whole(Cell *cell, union word by_value)
{
    if (cell->whole == 300)
        cell->whole = 3;
    else if (by_value.bits == 9u)
        return 9;
    return cell->whole == 3;
}

int classify(const union word *word, const union word *words, int n, Cell *cell)
{
    int kind = is_negative(word);
    if (n < 0 || n > 3)
        return -1;
    if (kind == 2 && count(words, n) == -1)
        return 2;
    return whole(cell, *word) == 9 ? 9 : kind;
}
