// What a key press must not do, whatever the size of the program: time itself is no matter for a test.

import assert from "node:assert/strict";
import { test } from "node:test";
import { StringStream } from "@codemirror/language";
import { Text } from "@codemirror/state";
import { effect } from "@preact/signals";
import type { DrawRun } from "../../web/ui/analyses/paths/state";
import { grammar } from "../../web/ui/editor/language";
import { current, known, sourceOf, stale, text } from "../../web/ui/state/state";
import { merge } from "./documents";

const lines = Array.from({ length: 5000 }, (_, i) => `  x = x + ${i};`);

test("the text is put together only for whoever asks, and once", () => {
  const first = Text.of(lines);
  let made = 0;
  first.toString = () => {
    made++;
    return lines.join("\n");
  };
  text.value = first;
  known.value = { cfg: merge, text: first, asked: null, ints: null, inlineDepth: null, assume: null, target: null, ms: 1 };
  const run = { text: first, cfg: merge } as DrawRun;
  assert.equal(stale.value, false);
  assert.equal(current(run), true);
  text.value = first.replace(9, 9, Text.of(["x"]));
  assert.equal(stale.value, true);
  assert.equal(current(run), false);
  assert.equal(made, 0);
  text.value = first;
  assert.equal(sourceOf(text.value), lines.join("\n"));
  assert.equal(sourceOf(text.value).length, text.value.length);
  assert.equal(made, 1);
});

test("whoever asks whether results are of this text hears of changes of the answer only", () => {
  const first = Text.of(lines);
  text.value = first;
  known.value = { cfg: merge, text: first, asked: null, ints: null, inlineDepth: null, assume: null, target: null, ms: 1 };
  const run = { text: first, cfg: merge } as DrawRun;
  const heard: boolean[] = [];
  const stop = effect(() => void heard.push(current(run)));
  for (const key of ["a", "b", "c"]) text.value = text.value.replace(0, 0, Text.of([key]));
  // An undone change is none.
  text.value = text.value.replace(0, 3, Text.empty);
  stop();
  assert.deepEqual(heard, [true, false, true]);
});

test("no pattern of the highlighting looks further than where it stands", () => {
  const patterns = new Set<RegExp>();
  class Watched extends StringStream {
    override match(pattern: string | RegExp, consume?: boolean, caseInsensitive?: boolean): boolean | RegExpMatchArray | null {
      if (pattern instanceof RegExp) patterns.add(pattern);
      return super.match(pattern, consume, caseInsensitive);
    }
  }
  const state = grammar.startState!(2);
  for (const line of [
    "#define X 1",
    "/* a",
    "b */ int f(int x) { return g(x) + 0x1F + 12u; } // c",
    "char c = 'a'; s = \"b\";",
    "____ $ @",
  ]) {
    const stream = new Watched(line, 2, 2);
    while (!stream.eol()) {
      grammar.token(stream, state);
      stream.start = stream.pos;
    }
  }
  assert.ok(patterns.size >= 6, `${patterns.size} patterns`);
  for (const pattern of patterns) assert.match(pattern.source, /^\^/);
});
