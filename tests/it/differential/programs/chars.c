#include <stdio.h>
#include <stdlib.h>
int count(const char *s) { int n = 0, w = 0; char c; while ((c = s[n]) != 0 && n < 10) { if (c >= 'a' && c <= 'z') w++; else if (c == ' ' || c == '\t') w += 2; n++; } printf("%d:%c%%\n", w, c); return w; }
int main(int argc, char **argv) {
  char buffer[8] = "hello"; int i, v; unsigned char cs[4] = { 200, 'x' };
  if (argc < 2) { puts("no"); return 2; }
  v = atoi(argv[2]);
  for (i = 0; buffer[i]; i++) buffer[i] -= 32;
  printf("%s %d %i\n", "text", buffer[0], cs[0]); putchar(buffer[4]); printf("%3d|%-3d|%03d|%x|%X|%o\n", v, v, v, v, v, v);
  if (v == 7) exit(3);
  if (v < 0) abort();
  return count(argv[1]) + abs(v) % 5 + rand() % 3;
}
