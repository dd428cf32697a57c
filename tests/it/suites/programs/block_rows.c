#include <stdlib.h>

/* Frees rows. */
static void drop(int **rows, int count)
{
    while (count > 0)
        free(rows[--count]);
    free(rows);
}

/* Rows of a triangle, each one element longer than the one before; NULL where there is no memory. */
int **triangle(int n)
{
    int **rows;
    int i, j;

    if (n < 1 || n > 3)
        return NULL;
    rows = malloc((size_t)n * sizeof *rows);
    if (rows == NULL)
        return NULL;
    for (i = 0; i < n; i++) {
        rows[i] = malloc((size_t)(i + 1) * sizeof **rows);
        if (rows[i] == NULL) {
            drop(rows, i);
            return NULL;
        }
        for (j = 0; j <= i; j++)
            rows[i][j] = j == 0 || j == i ? 1 : rows[i - 1][j - 1] + rows[i - 1][j];
    }
    return rows;
}
