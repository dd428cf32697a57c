/* First values that are structures themselves, beside others and within arrays. */
#include <stdio.h>

struct point { int x; short y[2]; };
struct box { struct point low; int color; struct point corners[2]; };

static struct point made(int x) {
  struct point p = {x, {1}};
  p.y[1] = x / 2;
  return p;
}

int nested(int x, int k) {
  struct point p = {x, {2, 3}}, several[3] = {{k}, made(x), p};
  struct box box = {p, 3, {{4, {5}}, made(k)}}, boxes[2] = {[1] = box};
  printf("%d %d %d\n", several[0].x, several[1].y[1], several[2].y[1]);
  printf("%d %d %d %d %d\n", box.low.x, box.color, box.corners[0].y[0], box.corners[0].y[1], box.corners[1].y[1]);
  if (boxes[1].low.x != x || boxes[0].color) return 1;
  return boxes[1].corners[1].x + several[(unsigned)k % 3].x;
}
