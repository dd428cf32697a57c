/* Pointers to one of several objects: arrays of different lengths, structures, variables, buffers that change places. */
#include <stdio.h>
#include <string.h>

struct account { int id, balance; int history[2]; };
struct queue { int items[4]; int used; };

static struct account first = {1, 10, {3, 4}}, second = {2, 20};
static struct account bank[3] = {{5, 50}, {6, 60}};
static struct queue urgent = {{0}}, normal = {{0}};
static int small[2] = {7, 8}, large[5] = {1, 2, 3, 4, 5};
static int elsewhere[3];

static void sort(int *a, int n) {
  int room[8] = {0};
  int *src = a, *dst = room, *t;
  for (int w = 1; w < n; w *= 2) {
    for (int lo = 0; lo < n; lo += 2 * w) {
      int m = lo + w < n ? lo + w : n, hi = lo + 2 * w < n ? lo + 2 * w : n, i = lo, j = m, k = lo;
      while (i < m && j < hi) dst[k++] = src[i] <= src[j] ? src[i++] : src[j++];
      while (i < m) dst[k++] = src[i++];
      while (j < hi) dst[k++] = src[j++];
    }
    t = src;
    src = dst;
    dst = t;
  }
  if (src != a)
    for (int i = 0; i < n; i++) a[i] = src[i];
}

static void swap(int *x, int *y) {
  int t = *x;
  *x = *y;
  *y = t;
}

static void transfer(struct account *from, struct account *to, int n) {
  from->balance -= n;
  to->balance += n;
  to->history[1]++;
}

static struct account *find(int id) {
  if (first.id == id) return &first;
  if (second.id == id) return &second;
  for (int i = 0; i < 3; i++)
    if (bank[i].id == id) return &bank[i];
  return NULL;
}

static int put(struct queue *q, int x) {
  if (q->used == 4) return 0;
  q->items[q->used++] = x;
  return 1;
}

static int difference(int *a, int *b, int n) {
  if (a[0] > b[0]) {
    int *t = a;
    a = b;
    b = t;
  }
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i] * 10 - b[i];
  if (n > 1) a = b;
  a++;
  return s + *a + a[-1];
}

static int last(const int *p, int n) {
  const int *end = p + n, *best = p;
  while (p != end) {
    if (*p > *best) best = p;
    p++;
  }
  return best == end - 1 ? *best : -*best;
}

int main(void) {
  int x = 0, y = 0, v[7] = {5, 2, 9, -1, 4, 4, 0};
  scanf("%d %d", &x, &y);
  int *p = x > 2 ? small : large, *q = NULL, *r = &x;
  if (y == 1) q = &large[4];
  if (y == 2) q = &small[1];
  if (y > 4 && y < 8) q = elsewhere + (y - 5);
  if (q) *q += 100;
  printf("%d %d %d %d %d\n", p[1], q != NULL, q == &p[1], small[1], large[4] + elsewhere[2]);
  if (q != 0 && y > 4) printf("%d\n", (int)(q - elsewhere));
  if (y == 9 && x < 3) printf("%d\n", p[y - 6]);
  if (y & 1) r = &y;
  *r = *r / 2 + 1;
  swap(r, &v[2]);
  v[0] = x;
  v[1] = y;
  if (x >= 0) sort(v, x > 7 ? 7 : x);
  for (int i = 0; i < 7; i++) printf("%d ", v[i]);
  struct account *a = find(x), *b = find(y), *t;
  if (a == NULL || !b) printf("none\n");
  else if (a != b) {
    transfer(a, b, 3);
    t = a;
    a = b;
    b = t;
    b->history[0] = y;
    *b = *a;
    printf("%d %d %d %d %d\n", a->balance, first.balance, second.history[1], bank[1].history[0], b->id + bank[0].id);
  }
  struct queue *line = x & 1 ? &urgent : &normal;
  put(line, x);
  put(y & 1 ? line : &normal, 7);
  put(line == &normal ? &urgent : &normal, y);
  printf("%d %d %d %d\n", urgent.used, normal.used, urgent.items[0], normal.items[1]);
  printf("%d %d\n", difference(small, large, x & 1), difference(large, v, y & 3));
  printf("%d\n", last(x > y ? v : large, 3) + last(small, 2));
  char u[6] = "abc", w[4] = "xy";
  char *s = x > 3 ? u : w;
  if (y > 2) s++;
  for (; *s; s++) putchar(*s);
  s = strchr(x > 3 ? w : u, 'y');
  if (s) *s = 'z';
  printf("%s %s\n", u, w);
  return s != NULL;
}
