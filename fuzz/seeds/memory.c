#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <assert.h>
struct pair { int a; struct { unsigned b : 3; char c[2]; } in; };
union both { int i; char c; };
static int counter(void) { static int n = 3; return ++n; }
int read(const int *p, size_t n) { int s = 0; while (n--) s += *p++; return s; }
int g(int n, int m, int t[n], char *text) {
  int v[n];
  int *h = malloc(m * sizeof *h), *o = calloc(4, sizeof(int));
  struct pair x = { 1, { 2, "b" } }, y = x, z[2] = { [1].in.b = 3 };
  char s[] = "ab\0\x41";
  assert(n > 0 && n < 10);
  memset(v, 0, sizeof v);
  memcpy(o, t, 2 * sizeof(int));
  if (h == NULL) abort();
  h[0] = read(t, n), *(h + 1) = v[n - 1]--;
  y.in.c[n % 2] = text[0] == 'q' ? s[1] : *text;
  z[0] = (struct pair){ .a = counter(), .in = x.in };
  printf("%d %u %c %s\n", h[0], y.in.b, s[0], s);
  free(h);
  int *last = &o[3];
  while (o < last && *o) o++;
  return z[1].in.b + x.a + (int)(last - o);
}
