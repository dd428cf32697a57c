#include <stdio.h>

int gcd(int a, int b)
{
    if (b == 0)
        return a;
    return gcd(b, a % b);
}

int lcm(int a, int b)
{
    return a / gcd(a, b) * b;
}

int main(void)
{
    int x, y;
    if (scanf("%d %d", &x, &y) != 2) {
        fprintf(stderr, "two numbers, please\n");
        return 1;
    }
    if (x <= 0 || y <= 0) {
        puts("positive numbers only");
        return 2;
    }
    printf("gcd %d lcm %d\n", gcd(x, y), lcm(x, y));
    return 0;
}
