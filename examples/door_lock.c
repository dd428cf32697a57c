/*
 * title: Door lock
 * source: a state machine in the manner of BDP16, Section 2
 * look at: The door opens behind three right keys, and three wrong ones block it. Branches finds a row of keys for each; nobody gets to the last check.
 */
enum state { LOCKED, FIRST, SECOND, OPEN, BLOCKED };

int door_lock(const int keys[], int pressed)
{
    enum state state = LOCKED;
    int wrong = 0, opened = 0;
    for (int i = 0; i < pressed; i++) {
        int key = keys[i];
        switch (state) {
        case LOCKED:
            if (key == 4)
                state = FIRST;
            else
                wrong++;
            break;
        case FIRST:
            if (key == 7) {
                state = SECOND;
            } else {
                state = LOCKED;
                wrong++;
            }
            break;
        case SECOND:
            if (key == 1) {
                state = OPEN;
                opened++;
                wrong = 0;
            } else {
                state = LOCKED;
                wrong++;
            }
            break;
        case OPEN:
            if (key == 0)
                state = LOCKED;
            break;
        case BLOCKED:
            return -1;
        }
        if (wrong > 2)
            state = BLOCKED;
    }
    if (state == OPEN && wrong > 0)
        return -2;
    return opened;
}
