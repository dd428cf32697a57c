// An account: the check forgets the fee, so that the balance gets negative.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int balance = 100, fee = 2;
    int amount = __VERIFIER_nondet_int();
    if (amount < 0 || amount > balance)
        return 1;
    balance -= amount + fee;
    if (balance < 0)
        reach_error();
    return 0;
}
