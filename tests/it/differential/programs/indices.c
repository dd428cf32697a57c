/* Remainders and shifts as indices of rows and as lengths, and conversions of values that are much too large. */
#include <stdio.h>

static int table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

struct grid { unsigned char cell[2][5]; };

int indices(unsigned x, unsigned long y, int z, long wide) {
  struct grid g = {{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}};
  int computed[x % 7 + 1], other[y % 9];
  unsigned char low = wide * 255;
  signed char sum = (signed char)(wide * 127 + y);
  short part = (short)(y * 40503u);
  computed[x % 7] = 3;
  if (y % 9) other[0] = 4;
  table[1][x % 4] += z & 7;
  g.cell[y & 1][x % 5] <<= 1;
  g.cell[x >> 31][1u << (x & 1)]++;
  if (z >= 0) g.cell[1][z % 5] ^= 1;
  printf("%d %d %d %d %d\n", table[1][y % 4], table[x % 3][z & 3], g.cell[1][x % 5], g.cell[0][2], computed[x % 7]);
  printf("%d %d %d\n", low, sum, part);
  if (low == 7) return 1;
  if (sum < part) return 2;
  return y % 9 ? other[0] : 0;
}
