#include <limits.h>
#include <stdint.h>
#define SQUARE(x) ((x) * (x))
#define NAME(a, b) a##b
#define MANY(...) sum(__VA_ARGS__)
#if defined(SQUARE) && SQUARE(2) == 4
typedef unsigned char byte;
#else
#error no
#endif
typedef struct point { int x, y; byte tag[4]; struct point *next; } point;
enum color { RED, GREEN = 5, BLUE = GREEN << 2 };
static point origin = { .x = 1, .tag = { [2] = 'a', 'b' } };
int matrix[2][3] = { { 1, 2 }, { 3 } };
int sum(int a, int b) { return a + b; }
int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
void move(point *p, int by) { p->x += by; (*p).y -= by; p->tag[by & 3]++; }
int f(unsigned u, signed char c, long long l, int n, point *q) {
  point a = origin, *p = &a;
  int NAME(v, 1) = MANY(n, 2), *w = &v1;
  enum color k = n > 3 ? RED : BLUE;
  move(p, n);
  *w = (byte)(u << 3) ^ ~c;
  switch (k) {
    case RED: v1 = SQUARE(n);
    case GREEN: v1 %= 7; break;
    case 6 ... 9: return fib(3);
    default: v1 = matrix[n & 1][1];
  }
  for (int i = 0; i < 3; i++) { if (i == v1) continue; l += i, u >>= 1; }
  do { n /= 2; if (!n) goto out; } while (n && q->y <= INT_MAX);
out:
  return a.x + (int)l + sizeof(point) + q->next->x;
}
