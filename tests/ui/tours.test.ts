// Tours: the five of the page can be played and show what is there, and what is wrong with a damaged one is told with its step and its key.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { analyses } from "../../web/ui/analyses/registry";
import { looksIn } from "../../web/ui/session/session-store";
import { linkToStep, readTour, STEP_KEYS, TOURS, type Tour, tourIn, tourOf, wrongOf } from "../../web/ui/session/tour-file";
import { wrongText } from "../../web/ui/state/settings";
import { blocks, deadLinks, inline } from "../../web/ui/text/marked";
import { packed } from "../../web/ui/text/packing";

const FOLDER = "web/tours";
const read = async (name: string): Promise<Tour> => {
  const tour = tourOf(await readFile(`${FOLDER}/${name}.json`, "utf8"));
  assert.ok(typeof tour !== "string", `${name}: ${tour as string}`);
  return tour;
};

test("there is a tour for each method, of six to ten steps, and each can be played", async () => {
  assert.deepEqual((await readdir(FOLDER)).sort(), TOURS.map((name) => `${name}.json`).sort());
  for (const name of TOURS) {
    const { steps } = await read(name);
    assert.ok(steps.length >= 6 && steps.length <= 10, `${name}: ${steps.length} steps`);
    assert.ok(steps.filter(({ settings }) => settings.tab === name).length >= 4, `${name} is about its tab`);
    assert.ok(
      steps.some(({ question }) => question),
      `${name} asks`,
    );
    for (const { title, text, show, source } of steps) {
      const words = text.split(/\s+/).length;
      assert.ok(words <= 75, `${name}, ${title}: ${words} words`);
      if (typeof show.line === "number") assert.notEqual(source.split("\n")[show.line - 1]!.trim(), "", `${name}, ${title}`);
    }
  }
});

test("links of the tours lead to pages and headings of the docs", async () => {
  for (const name of TOURS)
    for (const { text } of (await read(name)).steps)
      for (const [, page, anchor] of text.matchAll(/\]\((\w+)\.md(?:#([\w-]+))?\)/g)) {
        const headings = [...(await readFile(`web/docs/${page}.md`, "utf8")).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
          heading!
            .toLowerCase()
            .replace(/[^\p{L}\p{N}]+/gu, "-")
            .replace(/^-|-$/g, ""),
        );
        if (anchor) assert.ok(headings.includes(anchor), `${name}: ${page}.md#${anchor}`);
      }
});

const step = { title: "One", text: "Look.", example: "merge", tab: "prune" };
const wrongIn = (steps: unknown, more: object = {}): string => {
  const tour = readTour({ format: "culdesac tour 1", title: "A tour", steps, ...more });
  return "steps" in tour ? "" : tour.map(wrongText).join("\n");
};

test("a step takes the program of the step before, and all else from the usual", () => {
  const tour = readTour({
    format: "culdesac tour 1",
    title: "A tour",
    steps: [
      { ...step, settings: { prune: { lookahead: "2" } } },
      { title: "Two", text: "On.", tab: "graph" },
    ],
  });
  assert.ok("steps" in tour);
  const [first, second] = tour.steps;
  assert.equal(second!.source, first!.source);
  assert.equal(second!.program, "merge");
  assert.equal((first!.settings.prune as { lookahead: string }).lookahead, "2");
  assert.equal((second!.settings.prune as { lookahead: string }).lookahead, "");
});

test("what is wrong is told with the step, the key and what is allowed", () => {
  const cases: [unknown, RegExp][] = [
    [[{ ...step, tab: "prunee" }], /^step 1: tab is "prunee"; allowed: report, .* prune,/m],
    [[step, { ...step, show: { view: "reed" } }], /^step 2: show\.view is "reed"; allowed: all, red, pruned, counts$/m],
    [[{ ...step, show: { vertx: 3 } }], /^step 1: show\.vertx is 3; allowed: nothing, .* vertex,/m],
    [[{ ...step, show: { line: 4000 } }], /^step 1: show\.line is 4000; allowed: a line of the program, from 1 to 41$/m],
    [[{ ...step, show: { path: { of: "prunes", index: 0, step: 1 } } }], /^step 1: show\.path is .*; allowed: .* explained,/m],
    [[{ ...step, settings: { prune: { lookahead: "many" } } }], /^step 1: settings\.prune\.lookahead is "many"; allowed: a number/m],
    [[{ ...step, settings: { prun: {} } }], /^step 1: settings\.prun is \{\}; allowed: nothing, .* prune,/m],
    [[{ ...step, settings: [] }], /^step 1: settings is \[\]; allowed: an object$/m],
    [[{ ...step, settings: { tab: "graph" } }], /^step 1: settings\.tab is "graph"; allowed: nothing/m],
    [[{ ...step, example: "mrge" }], /^step 1: example is "mrge"; allowed: .*merge,/m],
    [[{ title: "One", text: "Look.", tab: "graph" }], /^step 1: example is missing; allowed: in the first step/m],
    [[{ ...step, source: "int x;" }], /^step 1: source is "int x;"; allowed: no program beside an example/m],
    [[{ ...step, tab: undefined }], /^step 1: tab is missing/m],
    [[{ ...step, text: "" }], /^step 1: text is ""; allowed: a text of at most/m],
    [[{ ...step, title: 3 }], /^step 1: title is 3/m],
    [[{ ...step, text: "[x](javascript:alert)" }], /^step 1: text is with a link to "javascript:alert"; allowed: links to https/m],
    [[{ ...step, colour: "red" }], /^step 1: colour is "red"; allowed: nothing, .* title, text,/m],
    [[{ ...step, question: { text: "?", choices: ["one"], right: 1, answer: "!" } }], /^step 1: question\.choices is \["one"\]/m],
    [
      [{ ...step, question: { text: "?", choices: ["a", "b"], right: 3, answer: "!" } }],
      /^step 1: question\.right is 3; allowed: .* 1 to 2/m,
    ],
    [[{ ...step, question: { text: "?", choices: ["a", "b"], answer: "!" } }], /^step 1: question\.right is missing/m],
    [[{ ...step, question: { text: "?" } }], /^step 1: question\.answer is missing/m],
    [[step, null], /^step 2 is null; allowed: an object$/m],
    [[], /^steps is \[\]; allowed: a list of 1 to 40 steps$/m],
    ["many", /^steps is "many"/m],
  ];
  assert.equal(wrongIn([step]), "");
  for (const [steps, expected] of cases) assert.match(wrongIn(steps), expected);
  assert.match(wrongIn([step], { format: "culdesac tour 2" }), /^format is "culdesac tour 2"; allowed: "culdesac tour 1"$/m);
  assert.match(wrongIn([step], { author: "me" }), /^author is "me"; allowed: nothing/m);
  assert.match(tourOf("{") as string, /JSON/);
  assert.match(tourOf("7") as string, /format is missing/);
  assert.match(wrongOf([1, 2, 3, 4, 5, 6].map((key) => ({ key: String(key), says: "1", allowed: "2" }))), /And 2 more/);
});

test("no damage throws", async () => {
  const texts = await Promise.all(TOURS.map((name) => readFile(`${FOLDER}/${name}.json`, "utf8")));
  let state = 7;
  const below = (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const junk = (): unknown => [null, true, -1, 1e9, "", "x", [], [[]], {}, { of: 3 }, [{}]][below(11)];
  const damage = (value: unknown): unknown => {
    if (below(12) === 0) return junk();
    if (Array.isArray(value)) return value.map(damage);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, damage(inner)]));
    return value;
  };
  for (let round = 0; round < 400; round++) {
    const data = damage(JSON.parse(texts[round % texts.length]!));
    const tour = readTour(data);
    if (!("steps" in tour)) assert.ok(tour.length > 0 && wrongOf(tour).length > 10);
    assert.ok(["string", "object"].includes(typeof tourOf(texts[round % texts.length]!.slice(0, below(3000)))));
  }
});

test("links name a tour and a step", async () => {
  assert.deepEqual(tourIn("#tour.prune"), { link: "tour.prune", at: 0 });
  assert.deepEqual(tourIn("#tour.prune.3"), { link: "tour.prune", at: 2 });
  assert.equal(linkToStep("tour.prune", 2), "#tour.prune.3");
  const own = `tour1.${await packed({ steps: [] })}`;
  assert.deepEqual(tourIn(`#${own}.12`), { link: own, at: 11 });
  for (const other of ["#tour", "#merge", "#tour.prune.x.y", "#v1.abc", "#tour.prune.1234"]) assert.equal(tourIn(other), null, other);
});

test("the plain part of Markdown", () => {
  assert.deepEqual(blocks("One `a < b` **two**\nthree.\n\n- x\n- *y*\n  z\n\n\nEnd."), [
    {
      kind: "paragraph",
      text: [
        { kind: "text", text: "One " },
        { kind: "code", text: "a < b" },
        { kind: "text", text: " " },
        { kind: "bold", text: "two" },
        { kind: "text", text: " three." },
      ],
    },
    {
      kind: "list",
      items: [
        [{ kind: "text", text: "x" }],
        [
          { kind: "emphasis", text: "y" },
          { kind: "text", text: " z" },
        ],
      ],
    },
    { kind: "paragraph", text: [{ kind: "text", text: "End." }] },
  ]);
  assert.deepEqual(inline("2 * i * j"), [{ kind: "text", text: "2 * i * j" }]);
  assert.deepEqual(inline("[a](prune.md#the-settings) [b](https://x.org/y) [c](http://x) <b>"), [
    { kind: "link", text: "a", href: "docs/prune.html#the-settings" },
    { kind: "text", text: " " },
    { kind: "link", text: "b", href: "https://x.org/y" },
    { kind: "text", text: " " },
    { kind: "text", text: "c" },
    { kind: "text", text: " <b>" },
  ]);
  assert.deepEqual(deadLinks("[a](javascript:x) [b](../x) [c](cover.md)"), ["javascript:x", "../x"]);
});

test("the docs page tells the format as it is", async () => {
  const page = await readFile("web/docs/tours.md", "utf8");
  const example = /```json\n([\s\S]*?)```/.exec(page)?.[1];
  assert.ok(example);
  const tour = tourOf(example);
  assert.ok(typeof tour !== "string", tour as string);
  assert.ok(tour.steps.some(({ question }) => question));
  const rows = [...page.matchAll(/^\| `([\w.]+)`(?:, `([\w.]+)`)* \|/gm)].flatMap(([row]) =>
    [...row.matchAll(/`([\w.]+)`/g)].map(([, key]) => key!),
  );
  for (const key of STEP_KEYS) assert.ok(rows.includes(key), `tours.md has no row for ${key}`);
  // What can be looked at in each tab.
  for (const analysis of analyses) {
    const own = [...looksIn(analysis).keys()].filter((key) => !["selected", "path", "line", "explained"].includes(key));
    const row = new RegExp(`^\\| ${analysis.title} \\|.*$`, "m").exec(page)?.[0];
    if (own.length > 0) assert.ok(row, `tours.md says nothing of ${analysis.title}`);
    for (const key of own) assert.ok(row!.includes(`\`${key}\``), `tours.md says nothing of ${key} in ${analysis.title}`);
  }
});
