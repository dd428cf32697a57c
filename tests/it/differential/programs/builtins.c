/* Builtins of gcc and clang: bits, exact overflow, what is unreachable; the formats of <inttypes.h>. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int bits(int a, unsigned long b) {
  int r = __builtin_popcount(a) + 100 * __builtin_popcountl(b) + __builtin_parity(a) + __builtin_parityll(b);
  if (__builtin_ffs(a) > 3) r += 7;
  if (b != 0 && __builtin_ctzl(b) + __builtin_clzll(b) > 40) r = -r;
  return r + __builtin_ffsl(b);
}

/* Undefined of zero. */
int zeros(unsigned a) {
  if (__builtin_ctz(a) > 4) return __builtin_clz(a);
  return 40 + __builtin_ctz(a);
}

unsigned swapped(unsigned a, unsigned long b) {
  if (__builtin_bswap16(a) > 40000) return __builtin_bswap64(b) >> 7;
  return __builtin_bswap32(a) ^ (unsigned)b;
}

int beyond(int a, unsigned b, long c) {
  unsigned char small; long large = 0; int same = a; unsigned long wide; short half;
  int r = __builtin_add_overflow(a, b, &small);
  r += 2 * __builtin_mul_overflow(c, b, &large);
  r += 4 * __builtin_sub_overflow(same, c, &same);
  r += 8 * __builtin_mul_overflow(a++, -3, &wide);
  r += 16 * __builtin_sub_overflow(c > 3, b, &half);
  if (large < 0) r = -r;
  return r * 1000 + small + same % 7 + (int)(wide % 11) + half + a % 5;
}

int typed(int a, unsigned b, long c) {
  int s; long l; unsigned u; unsigned long v; long long q;
  int r = __builtin_smul_overflow(a, a, &s) + 2 * __builtin_saddl_overflow(c, a, &l) + 4 * __builtin_usub_overflow(b, 9, &u);
  r += 8 * __builtin_umull_overflow(b, c, &v) + 16 * __builtin_ssubll_overflow(a, c, &q);
  if (s > l) r += 32;
  return r + u % 3 + v % 5 + q % 7;
}

int never(int a) {
  switch (a & 3) {
    case 0: return 1;
    case 1: return __builtin_abs(a % 100);
    case 2: if (__builtin_expect(a > 50, 0)) __builtin_unreachable(); return 3;
    case 3: return 4;
  }
  __builtin_unreachable();
}

int kept(int a) {
  char s[8] = "abc", b[24];
  int n = sprintf(b, "%d-%04x%c", a, a & 255, 'x');
  n += 100 * snprintf(s, 6, "%3d|%s", a % 7, b);
  printf("%" PRId64 " %" PRIx8 " %-*d|%.*s\n", (int64_t)a, (uint8_t)a, 5, a, 2, "abc");
  return n + s[2] + b[1] + INT_FAST16_MAX % 10 + SIZE_MAX % 7;
}

int every(int a, unsigned long b, unsigned c, long d) {
  switch (c % 7) {
    case 0: return bits(a, b);
    case 1: return zeros(a);
    case 2: return swapped(c, b);
    case 3: return beyond(a, c, d);
    case 4: return typed(a, c, d);
    case 5: return never(a);
    default: return kept(a);
  }
}
