/* Functions of the C library on strings, memory and characters. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* All that C says of such a value is its sign. */
#define SIGN(x) (((x) > 0) - ((x) < 0))

int kinds(int c) {
  int k = 0;
  if (isdigit(c)) k += 1;
  if (isalpha(c)) k += 2;
  if (isupper(c)) k += 4;
  if (islower(c)) k += 8;
  if (isspace(c)) k += 16;
  if (isalnum(c)) k += 32;
  if (isxdigit(c)) k += 64;
  if (ispunct(c)) k += 128;
  if (isprint(c) && !isgraph(c)) k += 256;
  if (iscntrl(c) || isblank(c)) k += 512;
  return k;
}

int main(int argc, char **argv) {
  char word[16] = "abc", other[16], digits[] = " -42x", zeros[8];
  int table[6], copy[6], i, x, y, c;
  scanf("%d %d", &x, &y);
  c = (x & 127);
  printf("%d %c %c\n", kinds(c), isprint(c) ? toupper(c) : '.', isprint(c) ? tolower(c) : '.');
  strcpy(other, word);
  other[1] = 'a' + abs(y % 4);
  strcat(other, "de");
  if (strcmp(word, other) < 0) puts("below");
  printf("%d %d %s %s\n", SIGN(strcmp(word, other)), SIGN(strncmp(word, other, 1)), word, other);
  strncpy(zeros, other, sizeof(zeros));
  strncat(zeros, "xyz", 2);
  puts(zeros);
  memset(table, 0, sizeof(table));
  memset(copy, -1, 4 * sizeof(int));
  for (i = 0; i < 6; i++) table[i] += MAX(i, x % 3);
  memcpy(copy, table, 3 * sizeof(int));
  memset(word, 'z', 2);
  printf("%s %d %d %d %d\n", word, copy[0], copy[2], copy[3], atoi(digits));
  srand(7);
  i = rand() % 5;
  if (i < 0) return -1;
  if (y == 3) printf("%d\n", atoi("7") + (int)strlen(other));
  return (int)strlen(other) + (int)labs(x % 10) + MIN(x, y) % 2;
}
