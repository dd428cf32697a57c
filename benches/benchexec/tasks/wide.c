// The sum of two `int`s has room in a `long` of 64 bits, and none in one of 32.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0)
        return 0;
    unsigned long sum = (unsigned long)a + (unsigned long)a + (unsigned long)b;
    if (sum < (unsigned long)b)
        reach_error();
    return sum > 5;
}
