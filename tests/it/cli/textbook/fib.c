#include <stdio.h>

int fib(int n)
{
    if (n <= 1)
        return n;
    return fib(n - 1) + fib(n - 2);
}

int main()
{
    int n;
    printf("How many terms? ");
    scanf("%d", &n);
    if (n < 0 || n > 4) {
        printf("too many\n");
        return 1;
    }
    for (int i = 0; i < n; i++)
        printf("%d ", fib(i));
    return 0;
}
