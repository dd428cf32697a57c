#include <stdio.h>

int moves = 0;

void hanoi(int n, char from, char to, char aux)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, aux, to);
    printf("Move disk %d from %c to %c\n", n, from, to);
    moves++;
    hanoi(n - 1, aux, to, from);
}

int main()
{
    int n = 3;
    hanoi(n, 'A', 'C', 'B');
    printf("%d moves\n", moves);
    return 0;
}
