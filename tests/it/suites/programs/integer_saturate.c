#include <limits.h>

long long saturating_add(long long a, long long b)
{
    if (b > 0 && a > LLONG_MAX - b)
        return LLONG_MAX;
    if (b < 0 && a < LLONG_MIN - b)
        return LLONG_MIN;
    return a + b;
}

int narrow(long long a, int b)
{
    long long sum = saturating_add(a, b);

    if (sum == LLONG_MAX)
        return a == LLONG_MAX ? 3 : 4;
    if (sum == LLONG_MIN)
        return -3;
    if (sum > INT_MAX)
        return sum == INT_MAX + 1LL ? 2 : 1;
    if (sum < INT_MIN)
        return sum < -0x80000001LL ? -1 : -2;
    return 0;
}
