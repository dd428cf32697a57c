#include <stdio.h>
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long u64; typedef signed char s8;
enum color { RED, GREEN = 5, BLUE };
int types(int a, unsigned b, char c, u8 d, short e, u16 f, long g, u64 h, s8 i, _Bool j) {
  int r = 0;
  b += a; c += d; d = a; e *= 3; f -= b; h ^= g; i = h; j = g;
  if (a < b) r |= 1;
  if (c < d) r |= 2;
  if (-1 < b) r |= 4;
  if (e > f) r += 8;
  if (g < h) r += 16;
  if ((u8)a == d) r += 32;
  if (~d < 0) r += 64;
  if (i >> 1 == i / 2) r += 128;
  d++; f--; c--; 
  switch (b & 7u) { case 0: r++; case 1: case 2: r += 2; break; case 3 ... 5: r ^= 5; break; default: r = -r; }
  switch (c) { case 'a': return 1; case -1: r += GREEN; break; case 127: r--; }
  h = h << (a & 63); g = g >> 3;
  printf("%d %u %c %x %ld %lu %5d|%-5d|%05d|%+d\n", r, b, c, d, g, h, e, f, i, j);
  b = b * 2654435761u; b = b / 3 % 1000; b >>= 2;
  a = j ? d : (int)b;
  return r + a % 7 + (int)(b << 3) + (h > 5) - !g;
}
