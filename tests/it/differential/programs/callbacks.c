/* Pointers to functions: in variables, tables, members, as arguments, compared, null; and members of some bits. */
#include <stdio.h>
#include <stddef.h>

typedef int (*Operation)(int, int);
typedef int (*Handler)(int);
typedef void Action(void);

struct command { const char *name; Operation run; int uses; };
struct state { Handler next; int at; };
struct flags { unsigned ready : 1, mode : 3; int level : 4; unsigned short count : 9; int rest; };

static int calls = 0;
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int larger(int a, int b) { if (a > b) return a; return b; }
static int twice(int x) { calls++; return 2 * x; }
static int half(int x) { return x / 2; }
static void note(void) { calls += 10; }
static void forget(void) { calls = 0; }
static int ascending(int a, int b) { return a < b ? -1 : a > b; }
static int descending(int a, int b) { return ascending(b, a); }

static int (*const table[])(int, int) = {add, sub, larger};
static struct command commands[2] = {{"plus", add, 0}, {.name = "minus", .run = &sub}};
static struct flags shared = {1, 9, -3, 600, 4};

static int apply(Operation f, int a, int b) { return f(a, b); }
static int fold(int (*f)(int a, int b), const int *v, int n) {
  int s = v[0];
  for (int i = 1; i < n; i++) s = (*f)(s, v[i]);
  return s;
}
static void sort(int *v, int n, int (*order)(int, int)) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (order(v[i], v[j]) > 0) {
        int t = v[i];
        v[i] = v[j];
        v[j] = t;
      }
}
static Handler choose(int x) {
  if (x > 3) return twice;
  if (x == 3) return NULL;
  return half;
}
static int run(Handler h, int x) { return h ? h(x) : -1; }
static int bits(struct flags f, int x) {
  f.level += x;
  f.count--;
  int k = (f.mode = x), m = f.level++;
  if (f.mode - 5 < 0) k += 100;
  f.ready = !f.ready;
  f.ready++;
  shared.mode ^= 5;
  return k * 1000 + m * 10 + f.ready + f.count + f.level;
}

int main(void) {
  int x = 0, y = 0, v[4] = {3, 1, 4, 1};
  scanf("%d %d", &x, &y);
  if (x < -1000 || x > 1000 || y < -1000 || y > 1000) return 3;
  Operation op = x > 0 ? add : sub;
  if (y == 7) op = larger;
  printf("%d %d %d\n", op(x, y), op == add, op != larger);
  if (x >= 0 && x < 4) printf("%d\n", table[x](y, 2));
  if (y == 1 || y == 0) {
    commands[y].uses++;
    printf("%s %d %d\n", commands[y].name, commands[y].run(x, 5), commands[1].uses);
  }
  printf("%d %d\n", apply(sub, x, 3), fold(add, v, 4) + fold(&larger, v, x & 3));
  sort(v, 4, x > y ? ascending : descending);
  printf("%d %d\n", v[0], v[3]);
  struct state s = {choose(x), y};
  if (s.next) s.at = s.next(s.at);
  int r = run(choose(y), x);
  printf("%d %d %d\n", s.at, r, calls);
  Action *a = y & 1 ? note : forget;
  if (x != 5) a();
  Handler h = NULL;
  if (x > 10) h = half;
  if (x > 10 && h) printf("%d\n", h(y));
  struct flags f = shared, g = {0};
  f.mode = x;
  f.level = y;
  f.count += x;
  g.level = f.level = f.level - 1;
  printf("%u %d %d %d %d\n", f.ready, f.mode, f.level, f.count, g.level);
  int k = bits(f, y);
  printf("%d %d %d %zu\n", k, shared.mode, shared.count, sizeof(struct flags));
  return calls;
}
