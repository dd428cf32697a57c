/* What an instrumented program is linked with: reads inputs, runs each in a child of its own, and prints what came of it.
 *
 * Standard input: for each run the number of the function, the number of decisions after which to stop (0 is never), then three lists, each with its length first: values of scalars; arrays, each
 * as number of pairs, default, pairs of index and value; values of nondet functions. Standard output, a line for each run: how it ended,
 * the value, how many nondet values were drawn, `k:holds/fails` for each decision that was made, `;`, and what was printed in
 * hexadecimal digits. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef long long value;
struct contents { value pairs, other, *pair; };
struct given { value function, limit, scalars, *scalar, arrays, nondets, *nondet; struct contents *array; };
struct made { char outcome; value result, drawn, decisions[][2]; };

extern void __culdesac_case(int function);
extern int __culdesac_decisions, __culdesac_parameters;

static struct given given;
static struct made *made;
static value decided;
static char *seen; /* which uninitialised locals have had their first value */

__attribute__((noreturn)) void __culdesac_end(int outcome, value result) {
  made->outcome = (char)outcome;
  made->result = result;
  fflush(stdout);
  _exit(0);
}

int __culdesac_branch(int k, int holds) {
  made->decisions[k][!holds]++;
  if (given.limit && ++decided == given.limit) __culdesac_end('L', 0);
  return holds;
}

value __culdesac_next(void) {
  value k = made->drawn++;
  return k < given.nondets ? given.nondet[k] : 0;
}

value __culdesac_scalar(int k) { return k < given.scalars ? given.scalar[k] : 0; }

/* The little end comes first, so this is C's conversion to an integer type of that size. */
static void put(void *to, unsigned long size, value v) { memcpy(to, &v, size); }

void __culdesac_set(void *to, unsigned long size, int k) { put(to, size, __culdesac_scalar(k)); }

static value element(int k, value index) {
  struct contents *c = &given.array[k];
  for (value i = 0; i < c->pairs; i++)
    if (c->pair[2 * i] == index) return c->pair[2 * i + 1];
  return c->other;
}

void __culdesac_fill_part(void *to, unsigned long total, unsigned long size, int k, unsigned long from) {
  if (k >= given.arrays) return;
  for (unsigned long i = 0; i < total / size; i++) put((char *)to + i * size, size, element(k, (value)(from + i)));
}

void __culdesac_fill(void *to, unsigned long total, unsigned long size, int k) { __culdesac_fill_part(to, total, size, k, 0); }

/* A local without initialiser: the input at first, and what it was when its declaration is passed again. */
value __culdesac_local(int function, int k, value before) {
  if (given.function != function) return 0;
  if (seen[k]) return before;
  seen[k] = 1;
  return __culdesac_scalar(k);
}

void *__culdesac_local_member(int function, int k, void *to, unsigned long size) {
  if (given.function != function) memset(to, 0, size);
  else if (!seen[k]) {
    seen[k] = 1;
    __culdesac_set(to, size, k);
  }
  return 0;
}

void *__culdesac_local_array(int function, int k, void *to, unsigned long total, unsigned long size) {
  if (given.function != function) memset(to, 0, total);
  else if (!seen[given.scalars + k]) {
    seen[given.scalars + k] = 1;
    __culdesac_fill(to, total, size, k);
  }
  return 0;
}

/* An array whose length nobody knows: some elements in the middle of much memory that must not be touched. */
enum { SIDE = 1 << 14 }; /* bytes, whole pages */
void *__culdesac_structures(void) {
  unsigned long around = 1ul << 35;
  char *start = mmap(0, 2 * around, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  char *middle = start + around;
  mprotect(middle - SIDE, 2 * SIDE, PROT_READ | PROT_WRITE);
  return middle;
}

void *__culdesac_parameter(int k, unsigned long size) {
  char *middle = __culdesac_structures();
  value count = SIDE / (value)size;
  for (value i = -count; i < count; i++) put(middle + i * (value)size, size, element(k, i));
  return middle;
}

/* Strings of the command line. */
static char **arguments;
void __culdesac_arguments(char **strings) {
  arguments = strings;
  for (int i = 0; i < 100; i++)
    if (!strings[i]) strings[i] = "";
}
int __culdesac_argument(const char *text) {
  for (int i = 0; arguments && i < 100; i++)
    if (arguments[i] == text) return 1;
  return 0;
}
/* `atoi` of a string of the program's own; of what is none, the next value. */
int __culdesac_read(const char *text) {
  int n = 0, sign = 1;
  const char *s = text;
  while (*s == ' ' || *s >= 9 && *s <= 13) s++;
  if (*s == '-' || *s == '+') sign = *s++ == '-' ? -1 : 1;
  for (; *s >= '0' && *s <= '9'; s++)
    if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, sign * (*s - '0'), &n)) __builtin_trap();
  return n;
}
int __culdesac_number(const char *text) { return (int)strtoll(text, 0, 10); }
char *__culdesac_decimal(int k) {
  char *text = malloc(32);
  snprintf(text, 32, "%lld", __culdesac_scalar(k));
  return text;
}

/* Memory that is asked for is not the library's, which has its own use for `malloc`. */
static struct { char *at; unsigned long size; } memory[1 << 14];
static unsigned memories;
void *__culdesac_memory(unsigned long size) {
  char *at = mmap(0, size ? size : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memories < sizeof memory / sizeof *memory) memory[memories].at = at, memory[memories++].size = size;
  return at;
}
/* With the contents of other memory. */
void *__culdesac_more(char *old, unsigned long size) {
  char *at = __culdesac_memory(size);
  for (unsigned i = 0; i < memories; i++)
    for (unsigned long byte = 0; memory[i].at == old && byte < size && byte < memory[i].size; byte++) at[byte] = old[byte];
  return at;
}

static value number(void) {
  value v;
  if (scanf("%lld", &v) != 1) _exit(3);
  return v;
}

static value *numbers(value count) {
  value *list = malloc((size_t)(count + 1) * sizeof *list);
  for (value i = 0; i < count; i++) list[i] = number();
  return list;
}

static int read_input(void) {
  value v;
  if (scanf("%lld", &v) != 1) return 0;
  given.function = v;
  given.limit = number();
  given.scalars = number();
  given.scalar = numbers(given.scalars);
  given.arrays = number();
  given.array = calloc((size_t)given.arrays + 1, sizeof *given.array);
  for (value i = 0; i < given.arrays; i++) {
    given.array[i].pairs = number();
    given.array[i].other = number();
    given.array[i].pair = numbers(2 * given.array[i].pairs);
  }
  given.nondets = number();
  given.nondet = numbers(given.nondets);
  free(seen);
  seen = calloc((size_t)(given.scalars + given.arrays + 1), 1);
  return 1;
}

__attribute__((weak)) int main(void) { return 0; }

/* Before the program's own `main`, which stays what it is: its end gives back 0. */
__attribute__((constructor)) static void run_all(void) {
  size_t size = sizeof *made + (size_t)__culdesac_decisions * sizeof made->decisions[0];
  made = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  FILE *report = fdopen(dup(1), "w");
  int printed = memfd_create("printed", 0);
  dup2(printed, 1);
  while (read_input()) {
    memset(made, 0, size);
    lseek(printed, 0, SEEK_SET);
    if (ftruncate(printed, 0)) _exit(3);
    fflush(report);
    pid_t child = fork();
    if (child < 0) _exit(3);
    if (child == 0) {
      alarm(4);
      __culdesac_case((int)given.function);
      __culdesac_end('?', 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      int by = WTERMSIG(status);
      made->outcome = by == SIGILL || by == SIGFPE ? 'U' : by == SIGALRM ? 'T' : 'S';
    }
    fprintf(report, "%c %lld %lld", made->outcome ? made->outcome : '?', made->result, made->drawn);
    for (int k = 0; k < __culdesac_decisions; k++)
      if (made->decisions[k][0] || made->decisions[k][1]) fprintf(report, " %d:%lld/%lld", k, made->decisions[k][0], made->decisions[k][1]);
    fprintf(report, " ; ");
    off_t length = lseek(printed, 0, SEEK_END);
    for (off_t i = 0; i < length; i++) {
      unsigned char byte;
      if (pread(printed, &byte, 1, i) != 1) _exit(3);
      fprintf(report, "%02x", byte);
    }
    fprintf(report, "\n");
  }
  fflush(report);
  _exit(0);
}
