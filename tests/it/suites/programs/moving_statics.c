/* Pointers at file scope along arrays at file scope: a stack, a ring, a pool. */
static int stack[4];
static int *sp = stack;

int push(int v) {
  if (sp == stack + 4)
    return -1;
  *sp++ = v;
  return 0;
}

int pop(int *out) {
  if (sp == stack)
    return -1;
  *out = *--sp;
  return 0;
}

static char ring[4], *head = ring, *tail = ring, *mark;

int put(char c) {
  char *next = head + 1;
  if (next == ring + 4)
    next = ring;
  if (next == tail)
    return 0;
  *head = c;
  head = next;
  return 1;
}

int get(void) {
  if (head == tail)
    return -1;
  int c = *tail++;
  if (tail == ring + 4)
    tail = ring;
  return c;
}

int keep(int set) {
  if (set)
    mark = tail;
  if (mark && *mark == 'x')
    return 2;
  return mark != 0;
}

static char pool[256];
static char *next_free = pool;

void *pool_alloc(unsigned n) {
  if (n > (unsigned)(pool + sizeof pool - next_free))
    return 0;
  void *p = next_free;
  next_free += n;
  return p;
}
