/* What the programs of a batch share: see runtime.c. */
#include <stddef.h>

#define LINES 256
/* The worlds of a run, as bits. */
enum { DISTINCT = 1, FIRST = 2, QUIET = 4, ORDERED = 8, WORLDS = 16 };
/* What runs do that it matters to have done, as bits. */
enum { ALIASED = 1, KEPT = 2, CALLED_BACK = 4, SIGNALLED = 8, NESTED = 16, SEQUENCE = 32, BY_NAME = 64 };

/* The lines that the call of the function that is looked at has completed, and its most returns to a loop's header. */
extern unsigned char worlds_hit[LINES];
extern int worlds_rounds;
#define H(line) (worlds_hit[line] = 1)
/* As H, of a program with an object that signals write: one may come behind each statement. */
#define S(line) (H(line), worlds_signal())
void worlds_signal(void);
#define LOOP(count) (++(count) > worlds_rounds ? worlds_round(count) : (void)0)
void worlds_round(int count);

/* One program: what it does on its own, with the function in it, and with the inputs of a test. */
struct worlds_program {
  int number;
  void (*drive)(void);
  int replays;
  void (*replay)(int);
  void (*signalled)(void);
};
extern const struct worlds_program *worlds_programs[];
extern const int worlds_count;

struct worlds_frame {
  unsigned char hit[LINES];
  int rounds, world, kept, bytes;
};
/* Around each call of the function. */
void worlds_enter(struct worlds_frame *saved), worlds_leave(const struct worlds_frame *saved);

/* Below the bound; a value for an integer. */
int worlds_draw(int bound), worlds_value(void);
#define V worlds_value()
/* The world of this run, and how deep calls of the function are nested. */
extern int worlds_world, worlds_depth, worlds_replays;
/* Whether something may still be done: there is an end to it. */
int worlds_may(void);
void worlds_did(int feature), worlds_raise(void);
/* Says that the function's next call is not its first; an object of its own. */
void worlds_later(void), *worlds_new(size_t size);
/* Prints what is done, where a run is looked at. */
void worlds_say(const char *format, ...);

/* Addresses that were given away: of integers, with how far their array goes to both sides, and of characters. */
void worlds_keep(int *p, int before, int behind), worlds_keep_byte(unsigned char *p);
/* One of them, or null. */
int *worlds_kept(void);
/* Writes through one of them. */
void worlds_write(void);
