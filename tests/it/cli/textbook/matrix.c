#include <stdio.h>
#define R 2
#define C 2

void multiply(int a[][C], int b[][C], int c[R][C])
{
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) {
            c[i][j] = 0;
            for (int k = 0; k < C; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

int main(void)
{
    int a[R][C] = {{1, 2}, {3, 4}};
    int b[R][C] = {{5, 6}, {7, 8}};
    int c[R][C];
    multiply(a, b, c);
    for (int i = 0; i < R; i++) {
        for (int j = 0; j < C; j++)
            printf("%d\t", c[i][j]);
        printf("\n");
    }
    return 0;
}
