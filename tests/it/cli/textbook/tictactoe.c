#include <stdio.h>

char board[3][3] = { "XOX", "OXO", "XOX" };

int winner(char p)
{
    for (int i = 0; i < 3; i++) {
        if (board[i][0] == p && board[i][1] == p && board[i][2] == p) return 1;
        if (board[0][i] == p && board[1][i] == p && board[2][i] == p) return 1;
    }
    if (board[0][0] == p && board[1][1] == p && board[2][2] == p) return 1;
    if (board[0][2] == p && board[1][1] == p && board[2][0] == p) return 1;
    return 0;
}

int main(void)
{
    if (winner('X')) printf("X wins\n");
    else if (winner('O')) printf("O wins\n");
    else printf("draw\n");
    return 0;
}
