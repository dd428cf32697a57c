// title: tables of rows that malloc makes
#include <stdlib.h>

int **make(int m, int n) {
  int **t = malloc(m * sizeof(int *));
  int i, j;
  for (i = 0; i < m; i++) t[i] = (int *)malloc(n * sizeof(int));
  for (i = 0; i < m; i++)
    for (j = 0; j < n; j++) t[i][j] = i * 10 + j;
  return t;
}

void drop(int **t, int m) {
  for (int i = 0; i < m; i++) free(t[i]);
  free(t);
}

int filled(int m, int n, int i, int j) {
  if (m < 1 || m > 4 || n < 0 || n > 4) return -1;
  int **t = make(m, n);
  int x = t[i][j];
  t[i][j] = x + 1;
  if (x > 21) x += t[m - 1][n - 1];
  drop(t, m);
  return x;
}

int shared(int i, int k, int x) {
  int **t = make(3, 2);
  t[i & 1] = t[k & 3];
  t[1][1] = x;
  int s = t[0][1] * 3 + t[2][1];
  if (s > 50) return t[2][0];
  if (x > 3) t[2] = NULL;
  free(t[2]);
  return s + t[k & 1][0];
}

int replaced(int n, int x) {
  short **rows = malloc(3 * sizeof(short *)), **others = rows;
  unsigned char **bytes = malloc(sizeof(unsigned char *));
  int s = 0;
  bytes[0] = malloc(2);
  bytes[0][1] = x;
  for (int i = 0; i < 3; i++) {
    rows[i] = malloc((n & 3) * sizeof(short));
    if ((n & 3) > i) others[i][i] = x + i;
  }
  if (x & 1) rows = malloc(8 * sizeof(short *));
  if (x & 2) rows[0] = others[1];
  else if (x & 4) rows[0] = 0;
  if ((x & 3) != 1) s = rows[0][0] == x;
  return s * 1000 + bytes[0][1];
}

int tables(int kind, int a, int b, int x) {
  switch (kind & 3) {
  case 0: return filled(a, b, x & 3, x & 1);
  case 1: return shared(a, b, x);
  case 2: return replaced(a, x);
  default: return filled(3, 3, a, b);
  }
}
