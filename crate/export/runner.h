/* Runs tests, each in a process of its own; it is the same for every suite. It includes no header, since what it declares
   stands in one file with the program: what it needs of the C library it names by asm labels.
   This file is yours: no licence of culdesac applies to it. */
#define CULDESAC_TEXT(name) #name
#define CULDESAC_PREFIX(name) CULDESAC_TEXT(name)
#define CULDESAC_NAMED(name) __asm__(CULDESAC_PREFIX(__USER_LABEL_PREFIX__) name)

extern __attribute__((noreturn)) void culdesac_exit(int) CULDESAC_NAMED("exit");
extern int culdesac_fork(void) CULDESAC_NAMED("fork"), culdesac_wait(int, int *, int) CULDESAC_NAMED("waitpid");
extern unsigned culdesac_alarm(unsigned) CULDESAC_NAMED("alarm");
extern void (*culdesac_signal(int, void (*)(int)))(int) CULDESAC_NAMED("signal");
extern long culdesac_write(int, const void *, unsigned long) CULDESAC_NAMED("write");
extern long culdesac_read(int, void *, unsigned long) CULDESAC_NAMED("read");
extern int culdesac_pipe(int *) CULDESAC_NAMED("pipe"), culdesac_close(int) CULDESAC_NAMED("close");
extern int culdesac_dup2(int, int) CULDESAC_NAMED("dup2");
extern int culdesac_flush(void *) CULDESAC_NAMED("fflush");
extern void *culdesac_calloc(unsigned long, unsigned long) CULDESAC_NAMED("calloc");
extern void *culdesac_realloc(void *, unsigned long) CULDESAC_NAMED("realloc");

/* How the process of a test ends: by the program itself with 0 to 99, or by one of these. */
enum {
  CULDESAC_RETURNED = 240, /* the function returns, and what the test expects holds */
  CULDESAC_FAILED = 241,   /* something that the test expects does not hold */
  CULDESAC_ERROR = 242,    /* an error call */
  CULDESAC_ASSUMED = 243,  /* an assumption that does not hold */
  CULDESAC_ABORTED = 128 + 6,
  CULDESAC_ENDLESS = 128 + 14,
  CULDESAC_EXITS = 1000    /* and the program's own status */
};

struct culdesac_string { const char *text; unsigned long length; };
struct culdesac_test {
  int number;
  void (*run)(void);
  struct culdesac_string input;  /* the text on standard input */
  struct culdesac_string output; /* what it prints; without a text that is not compared */
  int ends;                      /* 0 for CULDESAC_RETURNED */
};

/* What the tests say goes to standard error, what is said of them to standard output. */
static int culdesac_running, culdesac_says_to = 1, culdesac_status;
static __attribute__((unused)) int culdesac_has_failed;

static inline void culdesac_say(const char *text) {
  unsigned long length = 0;
  while (text[length]) length++;
  if (culdesac_write(culdesac_says_to, text, length) < 0) return;
}
static inline void culdesac_count(int n) {
  char digit = (char)('0' + n % 10);
  if (n > 9) culdesac_count(n / 10);
  if (culdesac_write(culdesac_says_to, &digit, 1) < 0) return;
}
static inline void culdesac_expect(int holds, const char *what, int line) {
  if (holds) return;
  culdesac_has_failed = 1;
  culdesac_say("line "); culdesac_count(line); culdesac_say(": expected "); culdesac_say(what); culdesac_say("\n");
}

/* Ends the process as the program would itself, so that its output and its coverage are written. */
static inline __attribute__((noreturn)) void culdesac_end(int status) { culdesac_exit(status); }
static void culdesac_stopped(int number) {
  culdesac_signal(number, 0);
  culdesac_exit(128 + number);
}
/* Sizes that no machine has are not asked for: sanitizers end at these. */
static inline int culdesac_has(unsigned long size) { return !(size >> 20 >> 20); }
static inline void *culdesac_allocate(unsigned long size) { return culdesac_has(size) ? culdesac_calloc(size ? size : 1, 1) : 0; }
static inline void *culdesac_reallocate(void *old, unsigned long size) {
  return culdesac_has(size) ? culdesac_realloc(old, size ? size : 1) : 0;
}
static inline void culdesac_copy(void *to, const void *from, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
}
static inline int culdesac_same(const void *a, const void *b, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) if (((const char *)a)[i] != ((const char *)b)[i]) return 0;
  return 1;
}

/* Has a test run in a process of its own. In that process it gives -1, and the caller runs the test; in the other one it
   waits for the end and gives 1 if that is as expected, else 0. */
static inline int culdesac_fork_test(const struct culdesac_test *test) {
  int input[2], output[2], status = 0, prints = 1, passes, expected, child;
  unsigned long got = 0, kept = 0;
  char buffer[4096], beginning[1024];
  if (culdesac_pipe(input) || culdesac_pipe(output)) return 0;
  /* What is not written yet would be written by both processes. */
  culdesac_flush(0);
  child = culdesac_fork();
  if (child < 0) return 0;
  if (child == 0) {
    /* SIGABRT, SIGFPE, SIGSEGV, SIGALRM, SIGILL and SIGTRAP still write the coverage. */
    int signals[] = {6, 8, 11, 14, 4, 5};
    for (int i = 0; i < 6; i++) culdesac_signal(signals[i], culdesac_stopped);
    culdesac_alarm(test->ends == CULDESAC_ENDLESS ? 1 : 10);
    culdesac_close(output[0]);
    culdesac_dup2(output[1], 1);
    culdesac_close(output[1]);
    if (test->input.text && culdesac_write(input[1], test->input.text, test->input.length) < 0) culdesac_exit(CULDESAC_FAILED);
    culdesac_close(input[1]);
    culdesac_dup2(input[0], 0);
    culdesac_close(input[0]);
    culdesac_running = test->number;
    culdesac_says_to = 2;
    return -1;
  }
  culdesac_close(input[0]);
  culdesac_close(input[1]);
  culdesac_close(output[1]);
  for (;;) {
    long size = culdesac_read(output[0], buffer, sizeof buffer);
    if (size <= 0) break;
    for (long i = 0; i < size; i++, got++) {
      if (test->output.text && (got >= test->output.length || test->output.text[got] != buffer[i])) prints = 0;
      if (kept < sizeof beginning) beginning[kept++] = buffer[i];
    }
  }
  culdesac_close(output[0]);
  if (test->output.text && got != test->output.length) prints = 0;
  culdesac_wait(child, &status, 0);
  culdesac_status = (status & 127) == 0 ? status >> 8 & 255 : 128 + (status & 127);
  expected = test->ends == 0 ? CULDESAC_RETURNED : test->ends >= CULDESAC_EXITS ? test->ends - CULDESAC_EXITS : test->ends;
  passes = culdesac_status == expected && prints;
  /* What it prints tells why, in some frameworks. */
  if (!passes && culdesac_write(2, beginning, kept) < 0) return 0;
  return passes;
}

static inline int culdesac_report(const struct culdesac_test *test) {
  int passes = culdesac_fork_test(test), status;
  if (passes < 0) {
    test->run();
    culdesac_exit(culdesac_has_failed ? CULDESAC_FAILED : CULDESAC_RETURNED);
  }
  status = culdesac_status;
  culdesac_say("test "); culdesac_count(test->number);
  culdesac_say(status == CULDESAC_RETURNED ? ": returns" : status == CULDESAC_FAILED ? ": fails" : status == CULDESAC_ERROR ? ": calls an error"
    : status == CULDESAC_ABORTED ? ": aborts" : status == CULDESAC_ENDLESS ? ": does not end" : status > 128 && status < 160 ? ": ends by signal " : ": exits with ");
  if (status < CULDESAC_RETURNED && status != CULDESAC_ABORTED && status != CULDESAC_ENDLESS) culdesac_count(status > 128 && status < 160 ? status - 128 : status);
  culdesac_say(passes ? ", as expected\n" : ", which or whose output is not expected\n");
  return passes ? 0 : 1;
}

/* Runs the test with the number that the first argument is, or all. */
static inline int culdesac_main(const struct culdesac_test *const *tests, int argc, char **argv) {
  int failed = 0, number = 0, found = 0;
  if (argc > 1)
    for (const char *c = argv[1]; *c >= '0' && *c <= '9' && number < 100000; c++) number = number * 10 + *c - '0';
  for (; *tests; tests++)
    if (argc < 2 || (*tests)->number == number) failed += culdesac_report(*tests), found++;
  if (argc > 1 && !found) { culdesac_say("there is no test with this number\n"); return 2; }
  return failed ? 1 : 0;
}
