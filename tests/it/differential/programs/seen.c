/* Integers seen as others of the same size. */
static unsigned sum(const unsigned char *p, int n) { unsigned t = 0; while (n-- > 0) t = t * 3 + *p++; return t; }
int seen(int x, unsigned y) {
  char s[4] = {1, 2, 3};
  unsigned u[2] = {1, 2};
  int *q = (int *)u;
  unsigned char *p = (unsigned char *)s;
  s[1] = (char)x;
  p[2] = (unsigned char)y;
  p[0] += 250;
  u[0] = y;
  q[1] = -x;
  q[0]++;
  return (int)(sum(p, 4) + sum((const unsigned char *)s, 3)) % 1000 + (s[2] < 0) + (q[0] > 3) + (u[1] > 5) + (p[1] >> 1);
}
