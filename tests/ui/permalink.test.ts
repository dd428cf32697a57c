import assert from "node:assert/strict";
import { test } from "node:test";
import { fromHash, toHash } from "../../web/ui/permalink";
import { DEFAULTS } from "../../web/ui/settings";

const settings = { ...DEFAULTS, tab: "paths", function: "f", draw: { ...DEFAULTS.draw, seed: 42 }, prune: { ...DEFAULTS.prune, lookahead: 2, maxRedLength: "30" } };

test("what goes into a link comes out of it", async () => {
  for (const source of ["", "int f(void) { return 0; }\n", "// Grüße, 世界 🙂\n".repeat(3), "x".repeat(300_000)]) {
    const opened = await fromHash(await toHash({ source, settings }));
    assert.deepEqual(opened, { kind: "linked", linked: { source, settings } });
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
  for (const bad of ["#v1.", "#v1.%%%", hash.slice(0, -6), hash.slice(0, 20) + "AAAA" + hash.slice(20), "#v0.AAAA", "#v1.q1YqVrJSMrQ0AA"]) {
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
