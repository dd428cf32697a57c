/* A zero is printed, with a sign that its value does not tell. */
#include <stdio.h>

double negated(double x) { return -x; }

int main(void) {
  double x = 0, y = 2.5;
  int n = 0;
  if (scanf("%d", &n) != 1) {
    printf("%.1f\n", y);
    return 1;
  }
  if (n > 3) {
    printf("%.1f\n", negated(x));
    return 2;
  }
  if (n < -3) printf("%g %e\n", y * 0, negated(y));
  return 0;
}
