/* Runs tests one after another, without an operating system; it is the same for every suite.
   This file is yours: no licence of culdesac applies to it. */
enum { CULDESAC_ERROR = 1, CULDESAC_ASSUMED, CULDESAC_ABORTED };
struct culdesac_test {
  int number;
  void (*run)(void);
};

static int culdesac_running, culdesac_has_failed;

/* The first expectation that does not hold, for a debugger: its text and its line in the suite. */
const char *volatile culdesac_failed_text;
volatile int culdesac_failed_line;

static inline void culdesac_expect(int holds, const char *what, int line) {
  if (holds) return;
  culdesac_has_failed = 1;
  if (!culdesac_failed_text) culdesac_failed_text = what, culdesac_failed_line = line;
}
/* A call that no test expects: there is nothing to go on with. */
static inline __attribute__((noreturn)) void culdesac_end(int status) {
  culdesac_failed_line = -status;
  for (;;) {}
}
/* Memory for stubs that give some, each behind its size; it is never given back. */
static char culdesac_memory[1 << 14] __attribute__((aligned(16)));
static unsigned long culdesac_used;
static inline void *culdesac_allocate(unsigned long size) {
  char *given = culdesac_memory + culdesac_used;
  if (size > sizeof culdesac_memory - 16 - culdesac_used) return 0;
  *(unsigned long *)given = size;
  culdesac_used += 16 + (size + 15) / 16 * 16;
  return given + 16;
}
static inline void *culdesac_reallocate(void *old, unsigned long size) {
  char *given = culdesac_allocate(size), *from = old;
  unsigned long kept = size;
  if (from >= culdesac_memory && from < culdesac_memory + sizeof culdesac_memory) kept = *(unsigned long *)(from - 16);
  for (unsigned long i = 0; given && from && i < kept && i < size; i++) given[i] = from[i];
  return given;
}
static inline void culdesac_copy(void *to, const void *from, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
}
static inline int culdesac_same(const void *a, const void *b, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) if (((const char *)a)[i] != ((const char *)b)[i]) return 0;
  return 1;
}
static inline int culdesac_test(const struct culdesac_test *test) {
  culdesac_running = test->number;
  culdesac_has_failed = 0;
  test->run();
  return culdesac_has_failed;
}
