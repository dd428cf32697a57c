import assert from "node:assert/strict";
import { test } from "node:test";
import { examples } from "../../web/ui/editor/examples";
import { usual } from "../../web/ui/session/all-settings";
import { fromHash, toHash } from "../../web/ui/session/permalink";
import { type AllSettings, wrongText } from "../../web/ui/state/settings";

const DEFAULTS = usual();
const settings: AllSettings = {
  ...DEFAULTS,
  tab: "paths",
  function: "f",
  draw: { ...(DEFAULTS.draw as object), seed: 42 },
  prune: { ...(DEFAULTS.prune as object), lookahead: "2", maxRedLength: "30" },
};

test("what goes into a link comes out of it", async () => {
  for (const source of ["", "int f(void) { return 0; }\n", "// Grüße, 世界 🙂\n".repeat(3), "x".repeat(300_000)]) {
    const opened = await fromHash(await toHash({ source, settings }));
    assert.deepEqual(opened, { kind: "linked", linked: { source, settings } });
  }
});

test("an example as it is has a short link; with anything else a link of its own", async () => {
  const { source } = examples.find(({ name }) => name === "merge")!;
  const merge = { ...DEFAULTS, program: "merge" };
  assert.equal(await toHash({ source, settings: merge }), "#merge");
  assert.equal(await toHash({ source, settings: { ...merge, tab: "graph" } }), "#merge.graph");
  assert.deepEqual(await fromHash("#merge"), { kind: "linked", linked: { source, settings: merge } });
  assert.deepEqual(await fromHash("#merge.graph"), { kind: "linked", linked: { source, settings: { ...merge, tab: "graph" } } });
  for (const more of [
    { source: `${source} `, settings: merge },
    { source, settings: { ...merge, function: "merge" } },
    { source, settings: merge, look: { line: 3 } },
  ]) {
    const hash = await toHash(more);
    assert.match(hash, /^#v1\./);
    assert.deepEqual(await fromHash(hash), { kind: "linked", linked: more });
  }
});

test("links are short and safe in addresses", async () => {
  const hash = await toHash({ source: "void merge(int la, int lb) {\n  int ia = 0;\n  int ib = 0;\n}\n", settings });
  assert.match(hash, /^#v1\.[A-Za-z0-9_-]+$/);
  assert.ok(hash.length < 500, String(hash.length));
});

test("other hashes are no links", async () => {
  assert.deepEqual(await fromHash(""), { kind: "none" });
  assert.deepEqual(await fromHash("#section"), { kind: "none" });
});

test("damaged links are refused with a reason", async () => {
  const hash = await toHash({ source: "int x;", settings });
  for (const bad of ["#v1.", "#v1.%%%", hash.slice(0, -6), `${hash.slice(0, 20)}AAAA${hash.slice(20)}`, "#v0.AAAA", "#v1.q1YqVrJSMrQ0AA"]) {
    const opened = await fromHash(bad);
    assert.equal(opened.kind, "refused", bad);
    assert.match(opened.kind === "refused" ? opened.message : "", /damaged/);
  }
});

test("links of a newer version say so", async () => {
  const opened = await fromHash("#v2.AAAA");
  assert.match(opened.kind === "refused" ? opened.message : "", /newer/);
});

test("a link that would unpack to a flood is refused", async () => {
  const hash = await toHash({ source: " ".repeat(20 << 20), settings });
  assert.ok(hash.length < 60_000);
  assert.equal((await fromHash(hash)).kind, "refused");
});

/** Choices that depend on a seed alone. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SCRIPTS = ["int f(int x) {\n", "return x;\n}", "\u0000", "世界", "🙂", "\ud800", '\\"', "é", "\u2028", " ".repeat(50)];

test("a thousand links at random come back, and none that was changed throws", async () => {
  const below = chance(1);
  for (let round = 0; round < 1000; round++) {
    const source = Array.from({ length: below(12) }, () => SCRIPTS[below(SCRIPTS.length)]).join("");
    const hash = await toHash({ source, settings });
    // Half a surrogate is no text, and comes back as the sign for that.
    const expected = new TextDecoder().decode(new TextEncoder().encode(JSON.stringify({ source })));
    assert.deepEqual(await fromHash(hash), { kind: "linked", linked: { source: JSON.parse(expected).source, settings } });
    const letters = [...hash];
    for (let change = 0; change <= below(4); change++) {
      const at = below(letters.length);
      letters.splice(at, below(3), ...["", "A", "_-", "%", "=", "v9", ".", "é", "\u0000"][below(9)]!);
    }
    const opened = await fromHash(letters.join(""));
    assert.ok(["none", "linked", "refused"].includes(opened.kind), letters.join(""));
    if (opened.kind === "linked") assert.equal(typeof opened.linked.source, "string");
  }
});

test("whatever stands in a link, the settings are whole", async () => {
  const below = chance(2);
  const junk = (): unknown =>
    [null, true, -1, 1e308, "", "paths", "x".repeat(1000), [], [null], {}, { length: "9" }, { __proto__: { tab: 1 } }][below(12)];
  for (let round = 0; round < 500; round++) {
    const damaged: Record<string, unknown> = { ...settings };
    for (const key of Object.keys(DEFAULTS)) {
      if (below(2) === 0) damaged[key] = junk();
      const part = damaged[key];
      if (below(2) === 0 && typeof part === "object" && part !== null && !Array.isArray(part)) {
        damaged[key] = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, below(2) === 0 ? junk() : value]));
      }
    }
    const opened = await fromHash(await toHash({ source: "", settings: damaged as unknown as typeof settings }));
    assert.equal(opened.kind, "linked");
    if (opened.kind !== "linked") return;
    // What was read can be written and read again.
    const again = await fromHash(await toHash(opened.linked));
    assert.deepEqual(again, { kind: "linked", linked: opened.linked });
    for (const [key, value] of Object.entries(DEFAULTS)) {
      const read: unknown = (opened.linked.settings as unknown as Record<string, unknown>)[key];
      if (value !== null) assert.equal(typeof read, typeof value, key);
      if (typeof value === "object" && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          if (inner !== null) assert.equal(typeof (read as Record<string, unknown>)[name], typeof inner, `${key}.${name}`);
        }
      }
    }
  }
});

test("a link of before opens with the same settings", async () => {
  const hash =
    "#v1.bZJBb9swDIX_ivFOK6BD5iRbqw479TJgp123YWBsOjYqUwYlJSkC__eBTrLl0IsgySLf9x59RopFG4bHILnqPtgqD9W5Us5FpZLnav4lcJg07pVGeIyse4ZDph08Ji1ip65Ik4co8OjgrFuCR7OurZZyn-DPCCz7ZYvP7smKmNKwCwzfUUg8O7RKx_8v4TcrhyYWyfBbh8Tcwm9qh07jeFNvMbsrhz-Ddikr3Vh6OsQGDsopkxrTouQQYnylnqmFXzuMdPrB7ferKOrt4pibKO1w7STV12oFd-fhY_2uBT5NgQYxlpFO3yRlLQtOgn9cOURtWeFBIcCh6bl5vcTPeiC74lNmae2FvP050pvhxyJtug_m08rd3PushefZgjpY5zOKHAfrsHWgsI865N7S6kY4pDKOpAOnS907Pr9UT5aolsXDgULhRfoEj419kSgtZ0vAVbVdDBIG4ReejGxtIONEuowj9fEoN6nAlPIl8Gibzb__KsHXt_k-3lEn-J-YbIKpwe95_gs";
  const opened = await fromHash(hash);
  assert.deepEqual(opened, {
    kind: "linked",
    linked: {
      source: "int f(int n) { return n; }\n",
      settings: {
        program: "merge",
        tab: "prune",
        function: "f",
        ints: "c32",
        inlineDepth: 3,
        assume: null,
        target: null,
        paths: { lengths: "7,9", feasible: false },
        draw: { length: 40, count: 5, seed: 42, from: "pruned" },
        prune: {
          abstraction: "havoc",
          restarts: false,
          lookahead: "3",
          maxRedLength: "25",
          exactUpTo: "",
          invariants: true,
          precondition: "n > 0",
          lengths: "12",
          feasible: false,
        },
        explain: { maxInstructions: 80, order: "all", check: "interval", extend: "any_way", rounds: { length: 60, pruned: true } },
        cover: { unwind: 5, algorithm: "fm", summaries: true, precondition: "n < 9" },
        branches: { order: "fair", start: "nothing", given: "", compare: false },
        reach: { target: "", k: 25 },
        compare: { shown: true, least: 3, most: 4, programs: 2, seed: 8, algorithms: ["pc", "sc"] },
        run: { values: { x: "4" }, nondet: "1, 2", stdin: "", ends: true },
        predict: { on: false },
        report: { criterion: null, pairs: "masking" },
      },
    },
  });
});

test("what a link says wrongly is told, with what is allowed, and the rest is taken", async () => {
  const wrongOf = async (changes: Record<string, unknown>, look?: unknown) => {
    const opened = await fromHash(
      await toHash({ source: "int x;", settings: { ...settings, ...changes } as typeof settings, look: look as never }),
    );
    assert.ok(opened.kind === "linked");
    return { keys: (opened.wrong ?? []).map(({ key }) => key), ...opened };
  };
  const { keys, wrong, linked } = await wrongOf({
    ints: "c64",
    prune: { ...(DEFAULTS.prune as object), lookahead: "many", restart: false, lengths: "12" },
    explain: { rounds: { length: "9" } },
    draw: 7,
    colour: "red",
  });
  assert.deepEqual(keys.sort(), ["colour", "draw", "explain.rounds.length", "ints", "prune.lookahead", "prune.restart"]);
  const said = wrong!.map(wrongText).join("\n");
  assert.match(said, /^ints is "c64"; allowed: unbounded, c32$/m);
  assert.match(said, /^prune\.lookahead is "many"; allowed: a number from 0 to \d+/m);
  assert.match(said, /^prune\.restart is false; allowed: nothing, .* restarts,/m);
  assert.deepEqual(linked.settings.prune, { ...(DEFAULTS.prune as object), lengths: "12" });
  assert.deepEqual((await wrongOf({ tab: "prunee" })).keys, ["tab"]);
  assert.deepEqual((await wrongOf({ tab: "prune" }, { view: "reed", step: 3, vertx: 1, line: 0 })).keys, [
    "look.view",
    "look.vertx",
    "look.line",
  ]);
  assert.deepEqual((await wrongOf({ tab: "prune" }, { view: "red", step: 3 })).linked.look, { view: "red", step: 3 });
  assert.deepEqual((await wrongOf({})).keys, []);
  const short = await fromHash("#merge.grph");
  assert.equal(short.kind === "linked" && short.wrong?.[0]?.key, "tab");
});

test("what few change stands in a link only where it is changed", async () => {
  const usually = await toHash({ source: "", settings: DEFAULTS });
  assert.ok(
    (await toHash({ source: "", settings: { ...DEFAULTS, compare: { ...(DEFAULTS.compare as object), seed: 1 } } })).length >
      usually.length + 20,
  );
});
