// Where functions stand in a text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { examples } from "../../web/ui/editor/examples";
import { functionsOf } from "../../web/ui/editor/functions";

test("functions are found with their first and last line", () => {
  const source = `#include <stdio.h>
#define F(x) { x
/* int no(void) { */
int g;
struct s { int a; };
int declared(int x);
static int a[2] = { 1, 2 };

static struct s *first(int x,
                       int y)
{
    char *text = "}"; // }
    if (x) { return 0; }
    return '}' ? 0 : 0;
}
int second(void) { return g; }
void __attribute__((noinline)) third(void (*f)(int)) {
}
`;
  assert.deepEqual(functionsOf(source), [
    { name: "first", from: 9, to: 15 },
    { name: "second", from: 16, to: 16 },
    { name: "third", from: 17, to: 18 },
  ]);
});

test("a text that is not whole does no harm", () => {
  assert.deepEqual(functionsOf("int f(int x) {"), []);
  assert.deepEqual(functionsOf("}}} int f() {} /* int g() {"), [{ name: "f", from: 1, to: 1 }]);
});

test("each example has its function, from its head to its brace", () => {
  for (const { name, source, language } of examples) {
    const lines = source.split("\n");
    const all = functionsOf(source);
    assert.ok(all.length > 0, name);
    for (const { name: own, from, to } of all) {
      assert.match(lines[from - 1]!, new RegExp(`\\b${own}\\(`), name);
      assert.equal(lines[to - 1]!.trim(), "}", name);
    }
    if (language === "c") assert.equal(all.length, (source.match(/^(?!#)\w[^;{}=]*\)\s*\{/gm) ?? []).length, name);
  }
});
