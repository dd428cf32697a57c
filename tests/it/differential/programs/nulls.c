/* Pointers among the parameters that the function itself asks to be null or not. */
#include <stddef.h>
static int total(const int *a, int n) {
  int s = 0;
  if (!a) return -5;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
int nulls(int *a, const char *s, unsigned char *to, int n) {
  int k = 0;
  if (s == NULL) return total(a, 2);
  while (*s && k < 3) { s++; k++; }
  if (to && n > 0 && n < 4) {
    *to++ = (unsigned char)(n + *s);
    *to = 7;
    k += to[-1];
  }
  if (n == 9) return a[1];
  return a != NULL ? k + total(a, n & 3) : -k;
}
