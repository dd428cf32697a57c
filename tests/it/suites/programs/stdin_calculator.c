#include <stdio.h>

int main(void)
{
    int a, b, result = 0;
    char operator;

    if (scanf("%d %c %d", &a, &operator, &b) < 3)
        return 1;
    if (a < -10000 || a > 10000 || b < -10000 || b > 10000)
        return 2;
    switch (operator) {
    case '+':
        result = a + b;
        break;
    case '-':
        result = a - b;
        break;
    case '*':
        result = a * b;
        break;
    case '/':
        if (b == 0) {
            fprintf(stderr, "division by zero\n");
            return 3;
        }
        result = a / b;
        break;
    default:
        return 4;
    }
    if (result > 100000000)
        return 5;
    printf("%d\n", result);
    return result < 0;
}
