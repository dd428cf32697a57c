typedef unsigned short cost;

/* The cheapest way through a grid, to the right and downwards; paths may be missing (0). */
int cheapest(cost m[3][4], int rows)
{
    int best[3][4], i, j;

    if (rows < 1 || rows > 3)
        return -1;
    for (i = 0; i < rows; i++) {
        for (j = 0; j < 4; j++) {
            int from = 0;
            if (m[i][j] == 0)
                return -2;
            if (i > 0 && j > 0)
                from = best[i - 1][j] < best[i][j - 1] ? best[i - 1][j] : best[i][j - 1];
            else if (i > 0)
                from = best[i - 1][j];
            else if (j > 0)
                from = best[i][j - 1];
            best[i][j] = from + m[i][j];
        }
    }
    return best[rows - 1][3] > 100 ? 1 : 0;
}
