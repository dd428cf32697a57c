/* Branches that few inputs take: a search by distance finds them. */
int f(double x, double y) {
  if (x * x + y * y < 2.25 && x * y > 0.9) return 1;
  if (3 * x + 2 * y == 10.5) return 2;
  double a = x / 7.0 + 100.0;
  if (a > 104.2 && a < 104.3) return 3;
  if (x * 1e-3 > 5) { if (y * 1e6 < -2.5 ) return 4; }
  return 0;
}
