struct point { int x; short y; unsigned char z[3]; };
struct line { struct point a, b; long w; };
struct line global; struct point many[3]; int two[3][4];
static int total(struct point p) { p.x += 1; return p.x + p.y + p.z[1]; }
static void move(struct point *p, int by) { p->x = p->x ^ by; p->y++; }
static struct point make(int k) { struct point p = { k, .z = { 1, 2 } }; p.y = k; return p; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int structs(int k, int m, int v[]) {
  struct line l; struct point q = make(k); int grid[2][3] = { { 1, 2 }, { 4 } }; int s = 0, i, j;
  static int calls = 3;
  l = global; l.a = q; l.b.x = m; l.b.z[0] = k;
  move(&l.a, m); move(&global.b, 3);
  swap(&k, &m); swap(&v[0], &grid[1][2]);
  for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) s ^= grid[i][j] * (i + 1);
  if (k >= 0 && k < 3) { many[k].x = 5; s += two[k][1]; if (many[1].y > two[0][k]) s++; two[2][k] = s & 15; }
  calls += k & 1; if (calls > 3) s--;
  if (l.a.x > l.b.x) s ^= total(l.b); else s ^= total(q);
  return (s & 1023) + (l.w > 0) + global.b.y % 10;
}
