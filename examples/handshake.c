/*
 * title: Handshake
 * source: a state machine in the manner of BDP16's ssh programs
 * look at: A connection greets, agrees on a key, and sends data until it closes; it may agree anew. That data goes out without a key is infeasible.
 */
#define GREET 1
#define PROPOSE 2
#define ACCEPT 3
#define DATA 4
#define CLOSE 5

int nondet(void);

int handshake(int limit)
{
    int state = 0, key = 0, sent = 0, renewed = 0;
    while (state != 9) {
        int message = nondet();
        if (state == 0 && message == GREET) {
            state = 1;
        } else if (state == 1 && message == PROPOSE) {
            state = 2;
        } else if (state == 2 && message == ACCEPT) {
            key = nondet();
            if (key == 0)
                return -1;
            state = 3;
        } else if (state == 3 && message == DATA) {
            if (key == 0)
                return -2;
            sent++;
            if (sent > limit)
                return -3;
        } else if (state == 3 && message == PROPOSE) {
            renewed++;
            key = 0;
            state = 2;
        } else if (state == 3 && message == CLOSE) {
            state = 9;
        } else {
            return -4;
        }
    }
    if (renewed > sent && renewed > 3)
        return -5;
    return sent;
}
