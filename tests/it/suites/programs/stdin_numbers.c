/* Numbers are read, and one of three conversions may fail. */
#include <stdio.h>
int main(void) {
  double x, y; float z;
  if (scanf("%lf %lf", &x, &y) != 2) { printf("bad\n"); return 1; }
  if (x > 2.5 && y < x) printf("a\n");
  if (scanf("%f", &z) == 1) {
    if (z >= 0.1f && z < 0.2f) return 2;
    if (z > 100) return 3;
  }
  double d = x * x - 4 * y;
  if (d < 0) return 4;
  if (d == 0) return 5;
  return 0;
}
