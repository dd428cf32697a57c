/*
 * Runs the programs of a batch, each run in a process of its own so that statics have their first values, and prints for each program, world
 * and line the first run that came there, and the least rounds of loops within which a call that came there returned.
 *
 *   batch FIRST RUNS [PROGRAM RUN]   (with a program and a run: tells what happens in it)
 */
#define _DEFAULT_SOURCE
#include "runtime.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned char worlds_hit[LINES];
int worlds_rounds, worlds_world, worlds_depth, worlds_replays;

/* What came of the runs of one program; behind the worlds one row for each test that is repeated. */
#define ROWS (WORLDS + 16)
struct results {
  int run[ROWS][LINES], least[ROWS][LINES];
  int runs, undefined, stopped, features;
};
static struct results *results, *mine;
/* Of this run. */
static unsigned char came[ROWS][LINES], returned[ROWS][LINES];
static int row, run, features, budget, calls, later, signals, telling;
static unsigned long long state;
static char *top;
static const struct worlds_program *program;

static struct { int *p, before, behind; } kept[64];
static unsigned char *bytes[64];
static int keeping, keeping_bytes;

/* splitmix64. */
int worlds_draw(int bound) {
  unsigned long long z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (int)((z ^ z >> 31) % (unsigned)bound);
}

int worlds_value(void) {
  static const int rare[] = {-1, 16, 17, 255, 256, -2147483647 - 1, 2147483647};
  return worlds_draw(8) ? worlds_draw(11) : rare[worlds_draw(7)];
}

void worlds_say(const char *format, ...) {
  if (!telling) return;
  va_list arguments;
  va_start(arguments, format);
  printf("%*s", 2 * worlds_depth, "");
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

/* No call after this one is the first. */
void worlds_later(void) { later = 1; }
void *worlds_new(size_t size) { return calloc(1, size); }

int worlds_may(void) { return !worlds_replays && budget-- > 0; }
void worlds_did(int feature) { features |= feature; }

void worlds_raise(void) {
  worlds_say("raise(SIGUSR1)");
  raise(SIGUSR1);
}
void worlds_signal(void) {
  if (signals && !worlds_replays && !worlds_draw(3)) worlds_raise();
}
static void handle(int number) {
  (void)number;
  worlds_did(SIGNALLED);
  program->signalled();
}

/* A frame's lines join the run's. */
static void merge(void) {
  for (int line = 0; line < LINES; line++)
    if (worlds_hit[line]) came[row][line] = 1;
}

void worlds_enter(struct worlds_frame *saved) {
  merge();
  memcpy(saved->hit, worlds_hit, LINES);
  saved->rounds = worlds_rounds;
  saved->world = row;
  saved->kept = keeping;
  saved->bytes = keeping_bytes;
  memset(worlds_hit, 0, LINES);
  worlds_rounds = 0;
  if (!worlds_replays) row = worlds_world | (calls || later ? 0 : FIRST);
  if (calls++) worlds_did(worlds_depth ? NESTED : SEQUENCE);
  worlds_depth++;
}

static int is_local(void *p) { return (char *)p < top && (char *)p > top - (1 << 20); }

void worlds_leave(const struct worlds_frame *saved) {
  merge();
  for (int line = 0; line < LINES; line++)
    if (worlds_hit[line] && (!returned[row][line] || returned[row][line] > worlds_rounds + 1)) returned[row][line] = worlds_rounds + 1;
  memcpy(worlds_hit, saved->hit, LINES);
  worlds_rounds = saved->rounds;
  row = saved->world;
  worlds_depth--;
  /* Of what the call gave away its locals are gone. */
  int to = saved->kept;
  for (int at = to; at < keeping; at++)
    if (!is_local(kept[at].p)) kept[to++] = kept[at];
  keeping = to;
  to = saved->bytes;
  for (int at = to; at < keeping_bytes; at++)
    if (!is_local(bytes[at])) bytes[to++] = bytes[at];
  keeping_bytes = to;
}

void worlds_keep(int *p, int before, int behind) {
  if (keeping < 64) {
    kept[keeping].p = p;
    kept[keeping].before = before;
    kept[keeping++].behind = behind;
  }
}
void worlds_keep_byte(unsigned char *p) {
  if (keeping_bytes < 64) bytes[keeping_bytes++] = p;
}
int *worlds_kept(void) { return keeping ? kept[worlds_draw(keeping)].p : 0; }
void worlds_write(void) {
  int at = worlds_draw(keeping + keeping_bytes + 1), value = worlds_value();
  if (at < keeping) {
    int offset = worlds_draw(kept[at].before + kept[at].behind + 1) - kept[at].before;
    worlds_say("writes %d through the address number %d that it was given, at %d", value, at, offset);
    kept[at].p[offset] = value;
    worlds_did(KEPT);
  } else if (at < keeping + keeping_bytes) {
    worlds_say("writes the character %d through an address that it was given", value & 255);
    *bytes[at - keeping] = (unsigned char)value;
    worlds_did(KEPT);
  }
}

/* What the run did counts from here on. */
static void commit(int stopped) {
  merge();
  for (int at = 0; at < ROWS; at++)
    for (int line = 0; line < LINES; line++) {
      if (came[at][line] && !mine->run[at][line]) mine->run[at][line] = run + 1;
      int least = returned[at][line];
      if (least && (!mine->least[at][line] || mine->least[at][line] > least)) mine->least[at][line] = least;
    }
  mine->runs++;
  mine->stopped += stopped;
  mine->features |= features;
}

/* A loop goes on for longer than is waited for: the run ends here. */
void worlds_round(int count) {
  worlds_rounds = count;
  if (count > 40 || worlds_depth > 40) {
    worlds_say("stopped in a loop");
    commit(1);
    _exit(0);
  }
}

static void child(void) {
  char here;
  top = &here;
  state = (unsigned long long)program->number * 0x100000001b3 + (unsigned)run;
  worlds_draw(2);
  budget = 120;
  signal(SIGUSR1, handle);
  alarm(20);
  worlds_world = ORDER;
  if (worlds_draw(2)) worlds_world |= DISTINCT;
  if (!worlds_draw(4)) worlds_world |= QUIET;
  signals = worlds_draw(2);
  /* What stands in no call of the function goes nowhere. */
  row = ROWS - 1;
  if (run < program->replays) {
    row = WORLDS + run;
    worlds_replays = 1;
    program->replay(run);
  } else {
    program->drive();
  }
  commit(0);
  _exit(0);
}

static void print(int number) {
  printf("program %d %d %d %d %d\n", number, mine->runs, mine->undefined, mine->stopped, mine->features);
  for (int at = 0; at < ROWS - 1; at++)
    for (int line = 0; line < LINES; line++)
      if (mine->run[at][line]) printf("%d %d %d %d\n", at, line, mine->run[at][line] - 1, mine->least[at][line]);
}

int main(int count, char **arguments) {
  int from = atoi(arguments[1]), runs = atoi(arguments[2]);
  setvbuf(stdout, 0, _IOFBF, 1 << 16);
  results = mmap(0, sizeof *results * (size_t)worlds_count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (results == MAP_FAILED) return 2;
  for (int at = 0; at < worlds_count; at++) {
    program = worlds_programs[at];
    mine = &results[at];
    if (count > 4) {
      if (program->number != atoi(arguments[3])) continue;
      run = atoi(arguments[4]);
      telling = 1;
      child();
    }
    /* The first numbers are those of tests; what is at random has the same numbers everywhere. */
    for (run = 0; run < program->replays + runs; run++) {
      if (run >= program->replays && run < program->replays + from) continue;
      int status;
      pid_t id = fork();
      if (id < 0) return 3;
      if (id == 0) child();
      waitpid(id, &status, 0);
      if (status) mine->undefined++;
    }
    print(program->number);
  }
  return 0;
}
