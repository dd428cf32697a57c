import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf } from "../../web/ui/analyses/reach/lines";
import type { Input } from "../../web/ui/protocol";
import { textsOf } from "../../web/ui/text/inputs";
import { subscript } from "../../web/ui/text/numbers";

const shown = (text: string): string[] => linesOf(text).map(({ depth, text }) => "  ".repeat(depth) + text);

test("a short formula stands in one line", () => {
  assert.deepEqual(shown("i < n ∧ A[i] = 1"), ["i < n ∧ A[i] = 1"]);
});

test("a long one has a line for each part, set in within its brackets", () => {
  assert.deepEqual(shown("∃ κ1, κ2 ≥ 0 (n ≤ κ1 + κ2 + 3 ∧ 13 ≤ κ1 ∧ ∀ τ1 (0 ≤ τ1 < κ1 → A[τ1 + τ2 + 3] = 1 ∧ τ1 + 4 ≤ n))"), [
    "∃ κ1, κ2 ≥ 0 (",
    "  n ≤ κ1 + κ2 + 3",
    "  ∧ 13 ≤ κ1",
    "  ∧ ∀ τ1 (",
    "    0 ≤ τ1 < κ1 → A[τ1 + τ2 + 3] = 1 ∧ τ1 + 4 ≤ n))",
  ]);
  // Brackets around nothing but a part need no line; operators within brackets of any kind are left.
  assert.deepEqual(shown("(first[0 ∧ 1] = 11111 ∧ second = 22222) ∨ (third = 33333)"), [
    "(first[0 ∧ 1] = 11111 ∧ second = 22222)",
    "∨ (third = 33333)",
  ]);
});

test("no letter of a formula is lost, however it is nested", () => {
  let text = "x = 1";
  for (let i = 0; i < 12; i++) text = `∃ κ${i} ≥ 0 (${text} ∧ (y${i} < ${i} ∨ f(y${i}) = {1, 2}[${i}]))`;
  assert.equal(
    shown(text)
      .map((line) => line.trim())
      .join("")
      .replace(/\s/g, ""),
    text.replace(/\s/g, ""),
  );
});

test("counters have their numbers below", () => {
  assert.equal(subscript("κ12 + τ3 = starts.from★2 + x4"), "κ₁₂ + τ₃ = starts.from★₂ + x4");
});

test("arrays of letters read as texts up to their end", () => {
  const input = (values: object): Input => ({ nondet: [], ...values }) as unknown as Input;
  assert.deepEqual(textsOf(input({ text: { "0": 72, "1": 105, "2": 33, default: 0 }, n: 3 })), ['text = "Hi!"']);
  assert.deepEqual(
    textsOf(input({ a: { "0": 72, "1": 7, "2": 33, default: 0 }, b: { "0": 72, "1": 105, default: 0 }, c: { default: 65 } })),
    [],
  );
});
