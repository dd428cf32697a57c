static int length(const char *s) { int n = 0; while (*s++) n++; return n; }
static void copy(char *to, const char *from) { while ((*to++ = *from++)) ; }
static int sum(int *a, int n) { int s = 0; int *p; for (p = a; p < a + n; p++) s += *p; return s; }
static int last(const int *p, int n) { int v = -1; while (n-- > 0) { v = *p; p += 1; } return v; }
static void both(int *low, int *high, int a, int b) { if (a < b) { *low = a; *high = b; } else { *low = b; *high = a; } }
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static int odd(int n); static int even(int n) { return n == 0 ? 1 : odd(n - 1); } static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int pointers(int k, int m, int v[]) {
  char text[8] = "abc", other[8]; int a[4] = { 1, 2, 3 }; int *p = a, *q = &a[1]; int low, high, s = 0, n = (k & 3) + 1; int w[n]; int i;
  copy(other, text); s += length(other);
  if (k & 1) text[1] = 0; s = s * 3 + length(text);
  *p++ = k & 7; *++p = m & 7; p[-1] = 5; q[1]++; *q += 2; s ^= a[0] + a[1] * 3 + a[2] * 7;
  for (p = a + 3; p >= a; p--) s += *p;
  s += sum(a, 3) + sum(a + 1, 2) + last(a, k & 3);
  both(&low, &high, k, m); if (low > high) return -1;
  for (i = 0; i < n; i++) w[i] = i * k & 15; s += w[n - 1]; if (v[0] > 3) s += *v + v[1] % 7;
  if (m >= 0 && m < 6) s += fact(m) + even(m); switch (p + 1 - a == 0 ? k & 3 : 9) { case 0: s++; case 1: s += 2; break; default: s--; }
  return s;
}
