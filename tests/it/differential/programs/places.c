/* Pointers that calls and choices give: records that are found or not, places in strings, rows of a matrix, characters as bytes. */
#include <stdio.h>
#include <string.h>

#define MAX 4

struct account { int id; char name[8]; long balance; int history[3]; };
struct pool { struct account items[MAX]; int used; };

static struct account accounts[MAX] = {{0}};
static int count = 0;
static struct pool pools[2] = {{.used = 0}};
static int matrix[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
static struct account spare = {0};

static struct account *find(int id) {
  for (int i = 0; i < count; i++)
    if (accounts[i].id == id) return &accounts[i];
  return NULL;
}

static int enter(int id, const char *name) {
  struct account *a;
  if (count == MAX || find(id) != NULL) return 0;
  a = &accounts[count++];
  a->id = id;
  strncpy(a->name, name, sizeof a->name - 1);
  a->balance = 10 * id;
  return 1;
}

static int transfer(int from, int to, long amount) {
  struct account *a = find(from), *b = find(to);
  if (!a || !b) return -1;
  if (a == b) return -2;
  if (amount > a->balance) return -3;
  a->balance -= amount;
  b->balance += amount;
  a->history[amount % 3 < 0 ? 0 : amount % 3]++;
  return (int)(b - a);
}

static struct account *richest(void) {
  struct account *best = NULL, *p;
  for (p = accounts; p < accounts + count; p++)
    if (best == NULL || p->balance > best->balance) best = p;
  return best;
}

static struct account *slot(int pool, int at) {
  struct pool *q = &pools[pool & 1];
  if (at < 0 || at >= MAX) return 0;
  if (at >= q->used) q->used = at + 1;
  return &q->items[at];
}

static struct account *one(void) { return &spare; }

static int *larger(int *a, int i, int j) { return a[i] > a[j] ? &a[i] : &a[j]; }

static const int *row_of(int k) { return k > 1 ? matrix[2] : k < 0 ? matrix[0] : matrix[1]; }

static int best_row(void) {
  int *best = matrix[0];
  for (int r = 1; r < 3; r++)
    if (matrix[r][0] % 5 > best[0] % 5) best = matrix[r];
  return best[1];
}

static char *skip(char *s, char c) {
  while (*s == c) s++;
  return *s ? s : NULL;
}

static char *last_of(char *s, int c) {
  char *found = NULL;
  for (; *s; s++)
    if (*s == c) found = s;
  return found;
}

static int words(char *s) {
  int n = 0;
  while ((s = skip(s, ' ')) != NULL) {
    n++;
    char *end = strchr(s, ' ');
    if (end == NULL) break;
    s = end;
  }
  return n;
}

static int fields(char *line, char *key, char *value) {
  char *eq = strchr(line, '=');
  if (!eq || eq == line) return -1;
  *eq = '\0';
  strcpy(key, line);
  strcpy(value, eq + 1);
  return (int)(eq - line);
}

static unsigned sum(const char *s) {
  const unsigned char *p = (const unsigned char *)s;
  unsigned total = 0;
  while (*p) total += *p++;
  return total;
}

static struct account *deep(int n, int at) {
  if (n <= 0) return find(at);
  return deep(n - 1, at + 1);
}

static int first_or(const char *s, int other) {
  const char *dot = strrchr(s, '.');
  return dot ? dot[1] : other;
}

int main(void) {
  int x = 0, y = 0;
  char line[12] = "a=b", key[12], value[12], text[10] = "  ab c d", odd[3] = "\xe9";
  scanf("%d %d", &x, &y);
  enter(1, "ann");
  enter(2, "bob");
  enter(x, "someone else");
  printf("%d %d\n", count, transfer(x, y, y));
  struct account *rich = richest();
  if (rich) printf("%s %ld\n", rich->name, rich->balance);
  struct account *s = slot(x, y);
  if (s != NULL) {
    s->id = x;
    s->history[1] = 7;
    *one() = *s;
  }
  one()->balance++;
  printf("%d %d %ld %d\n", pools[0].used, pools[1].used, spare.balance, spare.history[1] + one()->id);
  int pair[2] = {x, y};
  *larger(pair, 0, 1) = 5;
  printf("%d %d %d %d\n", pair[0], pair[1], row_of(x)[1], best_row());
  printf("%d %d\n", words(text), last_of(text, 'c') == NULL ? -1 : (int)(last_of(text, 'c') - text));
  line[1] = x > 2 ? '=' : '-';
  printf("%d\n", fields(line, key, value));
  if (x > 2) printf("%s %s\n", key, value);
  odd[1] = (char)(y + 200);
  printf("%u %d %d\n", sum(odd), first_or("a.b", 3), first_or(text, x & 15));
  char *dash = strpbrk(line, "-+"), *sub = strstr(text, "c d");
  if (dash) *dash = '_';
  printf("%c %d %c\n", line[1], sub != 0 && sub[2] == 'd', *(strchr("xyz", 'y') + 1));
  struct account *d = deep(2, x - 2);
  if ((rich = d) != 0) printf("%d\n", rich->id);
  return (d = deep(3, y)) ? d->id : count;
}
