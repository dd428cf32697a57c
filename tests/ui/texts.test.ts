import assert from "node:assert/strict";
import { test } from "node:test";
import { dotText } from "../../web/ui/graph/dot";
import { pictureOf } from "../../web/ui/graph/model";
import { readAll, usual } from "../../web/ui/session/all-settings";
import { parseLengths, parseWhole } from "../../web/ui/state/settings";
import { inputText, lineRuns } from "../../web/ui/text/inputs";
import { duration, grouped, log10, plural, power, share, short } from "../../web/ui/text/numbers";
import { csvText, markdownText } from "../../web/ui/text/tables";
import { cfgOf } from "./documents";

test("counts are grouped, and shortened only when they are huge", () => {
  assert.equal(grouped("1224"), "1,224");
  assert.equal(grouped(0), "0");
  assert.equal(short("999999999999999"), "999,999,999,999,999");
  assert.equal(short("1999999999999999"), "1.99 × 10¹⁵");
  assert.equal(short(`7${"0".repeat(245)}`), "7.00 × 10²⁴⁵");
  assert.equal(power(3), "1,000");
  assert.equal(power(12), "10¹²");
  assert.equal(plural(1, "edge"), "1 edge");
  assert.equal(plural(2300, "edge"), "2,300 edges");
  assert.equal(duration(0.2), "under 1 ms");
  assert.equal(duration(1240), "1.2 s");
});

test("a share never rounds up to all, nor down to none", () => {
  assert.equal(share("140", "1224"), "11.4 %");
  assert.equal(share("0", "6"), "0 %");
  assert.equal(share("6", "6"), "100 %");
  assert.equal(share("0", "0"), "–");
  assert.equal(share("9999999", "10000000"), "99.999 %");
  assert.equal(share("1", `1${"0".repeat(40)}`), "< 0.001 %");
});

test("logarithms of numbers beyond doubles", () => {
  assert.equal(log10("1"), 0);
  assert.equal(Math.round(log10(`1${"0".repeat(400)}`)), 400);
  assert.equal(log10("0"), -Infinity);
});

test("inputs read like assignments", () => {
  assert.equal(inputText({ la: 0, lb: 1, nondet: [] } as never), "la = 0, lb = 1");
  assert.equal(inputText({ a: { "0": 3, "1": -1, default: 0 }, nondet: [4, 0] } as never), "a = {3, -1, then 0}, nondet() = 4, then 0");
  assert.equal(
    inputText({ a: { "2": "99999999999999999999", "10": 1 }, nondet: [] } as never),
    "a = {[2] = 99999999999999999999, [10] = 1}",
  );
  assert.equal(inputText({ a: { default: 7 }, n: 3, nondet: [5] } as never), "n = 3, a = {all 7}, nondet() = 5");
  assert.equal(inputText({ a: { default: 7 }, nondet: [] } as never), "a = {all 7}");
  // Only where there are none.
  assert.equal(inputText({ nondet: [] } as never, { inputs: [], nondet: false }), "no inputs: it always runs");
  assert.equal(inputText({ nondet: [] } as never, { inputs: [], nondet: true }), "any input");
  assert.equal(inputText({ nondet: [] } as never, { inputs: [{ name: "x" }] as never, nondet: false }), "any input");
  assert.equal(
    inputText({ x: 1, nondet: [4, 5, 3], nondet_names: ["nondet()", "nondet()", "volatile reg #1"] } as never),
    "x = 1, nondet() = 4, then 5, volatile reg #1 = 3",
  );
  // Standard input is a text; another input of that name is a number.
  assert.equal(inputText({ x: 1, stdin: "43\n", nondet: [] } as never), 'x = 1, stdin = "43\\n"');
  assert.equal(inputText({ stdin: "" } as never), 'stdin = ""');
  assert.equal(inputText({ stdin: 5 } as never), "stdin = 5");
  // What the engine has written is shown as it is.
  const written = (...parts: [string, string][]) =>
    ({ c: 97, nondet: [], written_as: parts.map(([name, text]) => ({ name, text })) }) as never;
  assert.equal(inputText(written(["c", "'a'"], ["n", "any"])), "c = 'a', n = any");
  assert.equal(inputText(written(["nondet()", "4"], ["nondet()", "0"], ["reg #1", "3"])), "nondet() = 4, 0, reg #1 = 3");
  assert.equal(inputText(written(["c", "any"])), "any input");
});

test("lengths are a comma list of whole numbers up to 10,000", () => {
  assert.deepEqual(parseLengths("30, 10,20,10"), [10, 20, 30]);
  assert.deepEqual(parseLengths("10000"), [10000]);
  for (const wrong of ["", " , ", "10,,20", "ten", "-1", "1.5", "10001", "1e3", "99999999999999999999"])
    assert.equal(typeof parseLengths(wrong), "string", wrong);
  assert.equal(typeof parseLengths(Array.from({ length: 51 }, (_, i) => i + 1).join(",")), "string");
  assert.equal(parseWhole(" 12 ", 1, 1000), 12);
  assert.equal(typeof parseWhole("0", 1, 1000), "string");
  assert.equal(typeof parseWhole("", 1, 1000), "string");
});

test("lines are told as runs", () => {
  assert.equal(lineRuns([]), "");
  assert.equal(lineRuns([7, 3, 4, 3, 5, 9]), "3–5, 7, 9");
});

test("settings from outside are checked field by field", () => {
  const DEFAULTS = usual();
  assert.deepEqual(readAll(null), DEFAULTS);
  assert.deepEqual(readAll([1]), DEFAULTS);
  const odd = readAll({
    tab: 3,
    function: "f",
    paths: { lengths: "1,x", feasible: "yes" },
    draw: { length: 7, count: 1e9, seed: -1, feasibleOnly: true },
  });
  assert.equal(odd.tab, DEFAULTS.tab);
  assert.equal(odd.function, "f");
  assert.deepEqual(odd.paths, DEFAULTS.paths);
  assert.deepEqual(readAll({ cover: { unwind: 1001, algorithm: "best", summaries: "yes", precondition: 3 } }).cover, DEFAULTS.cover);
  assert.deepEqual(readAll({ cover: { unwind: 0, algorithm: "pc", summaries: true, precondition: "x > 0" } }).cover, {
    unwind: 0,
    algorithm: "pc",
    summaries: true,
    precondition: "x > 0",
  });
  assert.deepEqual(readAll({ reach: { target: "t".repeat(201), k: -1 } }).reach, DEFAULTS.reach);
  assert.deepEqual(readAll({ reach: { target: "fail", k: 0 } }).reach, { target: "fail", k: 0 });
  assert.deepEqual(odd.draw, { ...(DEFAULTS.draw as object), length: 7, from: "feasible" });
});

test("tables as CSV quote what needs it and begin no formula", () => {
  const table = {
    head: ["line", "text"],
    rows: [
      ["1", 'a "b", c'],
      ["-2", "=SUM(A1)"],
      ["3", "-x"],
      ["4", "two\nlines"],
    ],
  };
  assert.equal(csvText(table), 'line,text\r\n1,"a ""b"", c"\r\n-2,\'=SUM(A1)\r\n3,\'-x\r\n4,"two\nlines"\r\n');
  assert.equal(markdownText({ head: ["a"], rows: [["x | y"], ["u\n v"]] }), "| a |\n| --- |\n| x \\| y |\n| u v |\n");
});

test("a picture for Graphviz has whole labels, quoted", () => {
  const picture = pictureOf(cfgOf(["0>1 ?s[0] == '\"'", "0>1 !x"]));
  const text = dotText(picture, "f");
  assert.match(text, /^digraph "f" \{/);
  assert.ok(text.includes(String.raw`0 -> 1 [label="s[0] == '\"'"];`));
  assert.ok(text.includes('0 -> 1 [label="x", style=dashed];'));
});
