struct seat { char row; unsigned char number; _Bool taken; };

#define ROOM 6

int reserve(struct seat seats[ROOM], char row, int together)
{
    int i, run = 0;

    if (together < 1 || together > ROOM)
        return -1;
    for (i = 0; i < ROOM; i++) {
        if (seats[i].row == row && !seats[i].taken)
            run++;
        else
            run = 0;
        if (run == together)
            break;
    }
    if (i == ROOM)
        return -2;
    if (run > ROOM)
        return -3;
    for (; run > 0; run--)
        seats[i - run + 1].taken = 1;
    return seats[i].number;
}
