/* Pointers that move and are kept: a reader of messages, and an expression. */
#include <stddef.h>

struct reader {
  const unsigned char *next, *end;
  int error;
};

static int get(struct reader *r) {
  if (r->next == r->end) {
    r->error = 1;
    return 0;
  }
  return *r->next++;
}

int message(const unsigned char *data, int length) {
  if (data == NULL || length < 0)
    return -4;
  struct reader r = {data, data + length, 0};
  int kind = get(&r), size = get(&r);
  if (r.error)
    return -1;
  if (kind > 3)
    return -2;
  if (size > r.end - r.next)
    return -3;
  return size;
}

int is_start(struct reader *r) {
  int byte = get(r);
  if (r->error)
    return 0;
  return byte == 0x7e && r->next != r->end;
}

static int number(const char **p) {
  int n = 0;
  while (**p >= '0' && **p <= '9')
    n = n * 10 + *(*p)++ - '0';
  return n;
}

int sum(const char *text) {
  int n = number(&text);
  while (*text == '+') {
    text++;
    n += number(&text);
  }
  return *text == '\0' ? n : -1;
}

static const char *input;

int starts(const char *text) {
  input = text;
  while (*input == ' ')
    input++;
  return *input == '#';
}
