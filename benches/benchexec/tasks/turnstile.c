// A turnstile counts coins and visitors: no visitor passes without a coin.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int coins = 0, visitors = 0;
    for (int day = 0; day < 5; day++) {
        int coin = __VERIFIER_nondet_int();
        if (coin > 0)
            coins++;
        if (visitors < coins)
            visitors++;
        if (visitors > coins)
            reach_error();
    }
    return visitors;
}
