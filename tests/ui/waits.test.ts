// The page's tests wait for states, never for milliseconds: a fixed wait is too short on a busy machine and wasted on an idle one. They
// wait for data attributes and patterns rather than for whole sentences, which are written anew more often than what they say changes.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = "tests/browser";
/** The one file that may look at a clock: it asks again and again. */
const CLOCK = "until.mjs";

const FIXED = /waitForTimeout|timers\/promises|\bdelay:|\bsleep\b|setTimeout\((?!\w+, 0\))|\btimeout: \d/;
/** Twenty characters with a full stop or a colon at their end. */
const SENTENCE = /getByText\("[^"]{20,}[.:]"|textContent (?:===|!==) "[^"]{20,}[.:]"/;

const found = (source: string, pattern: RegExp): string[] => source.split("\n").filter((line) => pattern.test(line));

test("a fixed wait is found, and a wait for a whole sentence", () => {
  for (const bad of [
    "await page.waitForTimeout(300);",
    "new Promise((resolve) => setTimeout(resolve, 300))",
    'keyboard.type("x", { delay: 15 })',
    'import { setTimeout as sleep } from "node:timers/promises";',
    "locator.waitFor({ timeout: 60_000 })",
  ])
    assert.equal(found(bad, FIXED).length, 1, bad);
  assert.deepEqual(found("if (on) setTimeout(tick, 0);\nawait page.clock.runFor(400);", FIXED), []);
  assert.equal(found('page.getByText("The run was stopped: what is open may be covered.").waitFor()', SENTENCE).length, 1);
  assert.deepEqual(found('page.getByText("12 paths drawn").waitFor()', SENTENCE), []);
});

test("the page's tests and its pictures wait for states", async () => {
  const tests = (await readdir(ROOT)).filter((name) => name.endsWith(".mjs") && name !== CLOCK);
  assert.ok(tests.length > 15);
  for (const name of [...tests.map((name) => join(ROOT, name)), "scripts/screenshots.mjs"]) {
    const source = await readFile(name, "utf8");
    assert.deepEqual(found(source, FIXED), [], `${name} waits for milliseconds`);
    assert.deepEqual(found(source, SENTENCE), [], `${name} waits for a whole sentence`);
  }
});
