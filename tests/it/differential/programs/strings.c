/* Strings as values, words and lines that are read, memory of whole objects. */
#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct record { int id; char name[8]; struct point at[2]; short kinds[3]; };

static const char *const days[] = {"Sun", "Mon", "Tue", "Wed"};
static const struct { int least; const char *text; } grades[] = {{90, "excellent"}, {50, "fair"}, {0, "poor"}};
const char *first = "first";
static int counter;
static int *where = &counter;

const char *grade(int points) {
  for (int i = 0; i < 3; i++)
    if (points >= grades[i].least) return grades[i].text;
  return "none";
}

int kinds(const char *s) {
  int k = 0;
  if (strchr(s, 'a')) k += 1;
  if (strrchr(s, 'b') != NULL) k += 2;
  if (!strstr(s, "ab")) k += 4;
  if (strpbrk(s, "xyz") == 0) k += 8;
  return k + 16 * (int)strspn(s, "abc") + 256 * (int)strcspn(s, " \n");
}

int main(void) {
  char word[6] = "none", line[7] = "";
  struct record r, other, all[3];
  int m[2][3], n[2][3], row[5] = {1, 2, 3, 4, 5}, x = 0, single;
  char bytes[4];
  scanf("%d %5s", &x, word);
  if (fgets(line, sizeof line, stdin) == NULL) puts("no line");
  else line[strcspn(line, "\n")] = '\0';
  printf("<%s> %d <%s> %d\n", word, kinds(word), line, kinds(line));
  memset(&r, 0, sizeof r);
  r.id = x % 7;
  strcpy(r.name, word);
  r.at[1].y = 3;
  memcpy(&other, &r, sizeof(struct record));
  memset(all, 0xff, sizeof(all));
  memcpy(&all[1], &other, sizeof all[1]);
  memmove(&all[2], &all[1], sizeof(*all));
  printf("%d %s %d %d %d %d\n", other.id, other.name, all[0].id, all[0].kinds[1], all[2].at[1].y, all[2].at[0].x);
  memset(m, 0, sizeof m);
  memset(n, 1, sizeof n);
  m[1][2] = n[1][1];
  memcpy(n, m, sizeof n);
  memset(&single, -1, sizeof single);
  memmove(row + 1, row, 3 * sizeof(int));
  memset(bytes, 200, sizeof bytes);
  bytes[2] = (char)x;
  printf("%d %d %d %d%d%d%d%d\n", n[1][2], n[0][0], single, row[0], row[1], row[2], row[3], row[4]);
  if (memcmp(bytes, "\310\310", 3) < 0) puts("below");
  if (memcmp(row, row + 1, 2 * sizeof(int)) < 0) puts("rows");
  if (memcmp(row + 2, row + 1, sizeof(int)) > 0) fputs("greater\n", stdout);
  const char *size = x > 100 ? "big" : x > 10 ? "middle" : "small";
  const char *sign;
  if (x < 0) sign = "minus"; else sign = "plus";
  printf("%s [%7s] [%-5.2s] %s\n", days[x & 3], size, sign, grade(x));
  for (int i = 0; i < 2; i++) printf("%d%s", i, i < 1 ? ", " : "\n");
  puts(x & 1 ? "odd" : "even");
  if (!first || !where) return 5;
  fputc('.', stdout);
  int c = getc(stdin);
  if (c == EOF) fprintf(stderr, "end\n");
  return c > 10 ? kinds(word) : -1;
}
