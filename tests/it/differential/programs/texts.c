/* Strings that are values, followed: tables, parameters, members, results, pointers that move along them. */
#include <stdio.h>
#include <string.h>

struct entry { const char *name; int value; };

static const char *const days[] = {"Sun", "Mon", "Tuesday", "", NULL};
static struct entry table[] = {{"one", 1}, {"three", 3}, {"ten", 10}};
const char *alphabet = "abcdef";

int length(const char *s) {
  int n = 0;
  if (s == NULL) return -1;
  while (*s) { s++; n++; }
  return n;
}

int vowels(const char *s) {
  int n = 0;
  for (int i = 0; s[i] != '\0'; i++)
    switch (s[i]) { case 'a': case 'e': case 'i': case 'o': case 'u': n++; }
  return n;
}

const char *pick(int x) {
  if (x < 0) return "negative";
  if (x > 3) return NULL;
  return days[x];
}

int lookup(const char *name) {
  for (int i = 0; i < 3; i++)
    if (strcmp(table[i].name, name) == 0) return table[i].value;
  return -1;
}

int hash(const char *s) {
  const char *p;
  int h = 0;
  for (p = s; *p; p++) h = h * 3 % 101 + *p;
  return h + (int)(p - s);
}

void order(const char *list[], int n) {
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n - 1 - i; j++)
      if (strcmp(list[j], list[j + 1]) > 0) {
        const char *t = list[j];
        list[j] = list[j + 1];
        list[j + 1] = t;
      }
}

int main(void) {
  int x = 0;
  char copy[12] = "", rows[2][6] = {"hello", "abc"};
  const char *list[] = {"pear", "fig", "apple"};
  struct entry own;
  scanf("%d", &x);
  const char *chosen = pick(x);
  printf("%d %d\n", length(chosen), length(x > 1 ? "yes" : days[2]));
  if (chosen) {
    printf("%s %d %d %d\n", chosen, (int)strlen(chosen), vowels(chosen), hash(chosen));
    strcpy(copy, chosen);
    puts(copy);
  }
  own.name = x & 1 ? "three" : "four";
  own.value = lookup(own.name);
  printf("%d %c %d\n", own.value, own.name[1], lookup("ten"));
  order(list, 3);
  for (int i = 0; i < 3; i++) printf("%s ", list[i]);
  printf("%c%c\n", alphabet[x & 3], *(list[x & 1] + 1));
  printf("%d %d %d\n", length(rows[x & 1]), length(days[4]), hash(list[2] + 1));
  const char *walk = "start";
  if (x == 2) walk = alphabet;
  while (*walk && *walk != 'd') walk++;
  printf("%s.\n", walk);
  return days[2][x & 7];
}
