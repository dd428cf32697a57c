#include <stdio.h>
#include <stdlib.h>

enum state { IDLE, CARD, PIN, MENU, DONE };

struct account {
    int pin;
    int balance;
    int locked;
};

static struct account acc = { 1234, 500, 0 };

int withdraw(struct account *a, int amount)
{
    if (amount <= 0 || amount > a->balance)
        return -1;
    a->balance -= amount;
    return 0;
}

int main(void)
{
    enum state s = IDLE;
    int tries = 0;
    while (s != DONE) {
        int input;
        scanf("%d", &input);
        switch (s) {
        case IDLE:
            s = input == 1 ? CARD : IDLE;
            if (input == 0) exit(0);
            break;
        case CARD:
            s = PIN;
            /* fall through */
        case PIN:
            if (input == acc.pin) {
                s = MENU;
            } else if (++tries >= 3) {
                acc.locked = 1;
                printf("card kept\n");
                s = DONE;
            }
            break;
        case MENU:
            if (withdraw(&acc, input) == 0)
                printf("take %d, left %d\n", input, acc.balance);
            else
                printf("not possible\n");
            s = DONE;
            break;
        default:
            abort();
        }
    }
    return acc.balance;
}
