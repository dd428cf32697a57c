/* Observes a program whose objects are registered: which object a pointer points to, what a call changes. The functions without a body
   are those of an adversary, which uses all that it can reach. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct S { int *a; int *b; struct S *next; int v; };
typedef int *(*Function)(int *, int **, struct S *);

struct Object { const char *name; char *at; long size; };
static struct Object objects[20000];
static Function *external_function(void);
static int object_count, within_outside, depth, calls, outside_calls;
static const char *current = "outside";
static unsigned long long random_state = SEED;

static unsigned any(unsigned n) {
  random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(random_state >> 33) % n;
}

/* Objects of calls from outside have a name of their own. */
static void *object(const char *name, void *at, long size) {
  char *own = malloc(strlen(name) + 2);
  sprintf(own, "%s%s", within_outside && name[0] == 'l' ? "~" : "", name);
  if (object_count >= 20000) exit(0);
  objects[object_count++] = (struct Object){own, at, size};
  return at;
}

static const char *name_of(const void *p) {
  for (int i = object_count - 1; i >= 0; i--)
    if ((char *)p >= objects[i].at && (char *)p < objects[i].at + objects[i].size) return objects[i].name;
  return "?";
}

static void points(const char *cell, const void *p) {
  if (p) printf("P %s %s\n", cell, name_of(p));
}

static char *snapshot(void) {
  long size = 0, at = 0;
  for (int i = 0; i < object_count; i++) size += objects[i].size;
  char *copy = malloc(size + 1);
  for (int i = 0; i < object_count; at += objects[i++].size) memcpy(copy + at, objects[i].at, objects[i].size);
  return copy;
}

static void changed(const char *function, char *before, int count) {
  long at = 0;
  for (int i = 0; i < count; at += objects[i++].size)
    if (objects[i].size > 1 && memcmp(before + at, objects[i].at, objects[i].size)) printf("M %s %s\n", function, objects[i].name);
  free(before);
}

static int *known_ints[200], **known_pointers[200], own_int;
static struct S *known_structures[200], own_structure;
static Function known_functions[50];
static int int_count, pointer_count, structure_count, function_count;

static void learn_int(int *p) {
  if (!p || int_count == 200) return;
  printf("E %s\n", name_of(p));
  known_ints[int_count++] = p;
}

static void learn_pointer(int **p) {
  if (!p || pointer_count == 200) return;
  printf("E %s\n", name_of(p));
  known_pointers[pointer_count++] = p;
}

static void learn_structure(struct S *p) {
  if (!p || structure_count == 200) return;
  printf("E %s\n", name_of(p));
  known_structures[structure_count++] = p;
}

static void learn_function(Function f) {
  if (!f || function_count == 50) return;
  printf("E %s\n", name_of((void *)f));
  known_functions[function_count++] = f;
}

static int *some_int(void) { return int_count && any(8) ? known_ints[any(int_count)] : &own_int; }
static int **some_pointer(void) { return pointer_count ? known_pointers[any(pointer_count)] : 0; }
static struct S *some_structure(void) { return structure_count && any(8) ? known_structures[any(structure_count)] : &own_structure; }

static int *watched(Function f, int *p, int **q, struct S *t) {
  const char *name = name_of((void *)f) + 1;
  char *before = snapshot();
  int count = object_count;
  int *result = f(p, q, t);
  changed(name, before, count);
  return result;
}

static void act(void) {
  const char *caller = current;
  printf("C %s outside\n", caller);
  char *before = snapshot();
  int count = object_count;
  current = "outside";
  within_outside++;
  for (int i = 0; i < 6; i++) {
    int **q = some_pointer();
    struct S *t = some_structure();
    switch (any(7)) {
    case 0: *some_int() = any(1000); break;
    case 1: if (q) learn_int(*q); break;
    case 2: if (q) *q = some_int(); break;
    case 3:
      learn_int(t->a); learn_int(t->b); learn_structure(t->next); learn_int(&t->v); learn_pointer(&t->b);
      break;
    case 4: t->a = some_int(); t->next = some_structure(); t->v = any(1000); break;
    case 5: learn_function(*external_function()); break;
    case 6:
      if (function_count && outside_calls < 12 && depth < 4) {
        outside_calls++;
        Function f = known_functions[any(function_count)];
        *external_function() = f;
        learn_int(watched(f, some_int(), q, t));
      }
    }
  }
  within_outside--;
  current = caller;
  changed(within_outside ? "within" : "outside", before, count);
}

void outside(void) { act(); }
void outside_int(int *p) { learn_int(p); act(); }
void outside_pointer(int **p) { learn_pointer(p); act(); }
void outside_structure(struct S *p) { learn_structure(p); act(); }
void outside_copy(struct S s) { learn_int(s.a); learn_int(s.b); learn_structure(s.next); act(); }
int *outside_result(void) { act(); return some_int(); }
