#ifndef FAILED_H
#define FAILED_H
#define PASS 0
#define FAIL 1
#define N(a) (sizeof(a) / sizeof(a)[0])

int failed(int actual, int expected);
static int difference;
const char *argv[] = { "a", "b" };
int argc = 2;

int failed(actual, expected)
    int actual, expected;
{
    register int i;
    static const int allowed[] = { 3, 5, 8 };

    for (i = 0; i < N(allowed); ++i)
        if (allowed[i] == actual)
            goto found;
    return expected == -1 ? PASS : FAIL;
found:
    if (expected < 0)
        return FAIL;
    if (difference = expected - actual)
        return difference < 0 ? FAIL : FAIL + 1;
    if (i > argc & argc == 2)
        return -1;
    return PASS;
}
#endif
