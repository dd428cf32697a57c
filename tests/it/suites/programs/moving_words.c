/* Words of a text that the library finds, and a stack whose top is a pointer. */
#include <stdlib.h>
#include <string.h>

enum { MOST = 3 };

static int split(char *line, char *words[]) {
  int count = 0;
  for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
    if (count == MOST)
      return -1;
    words[count++] = word;
  }
  return count;
}

int command(char *line) {
  char *words[MOST];
  int count = split(line, words);
  if (count <= 0)
    return count;
  if (strcmp(words[0], "on") == 0)
    return 1;
  if (count > 1 && strcmp(words[0], "at") == 0)
    return atoi(words[1]);
  return -2;
}

struct stack {
  int *top;
  int *end;
};

int calculate(int a, int b, int c) {
  int values[2];
  struct stack s = {values, values + 2};
  *s.top++ = a;
  if (b > a)
    *s.top++ = b;
  if (s.top != s.end)
    *s.top++ = c;
  int last = *--s.top;
  return s.top == values ? 0 : last > a;
}
