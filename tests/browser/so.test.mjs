// The page says what is so: its first line and its tabs rest on the same runs, no bound or stopped run is given as a verdict, what runs goes on
// while another tab is shown, and of a refused program nothing earlier is shown.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  answered,
  bar,
  cancelled,
  holding,
  launch,
  open,
  openSettings,
  refused,
  setProgram,
  tab,
  until,
  upToDate,
  violations,
} from "./harness.mjs";

const root = new URL("../..", import.meta.url).pathname;
const native = process.env.CULDESAC ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/culdesac");

/** Each of its runs takes eleven rounds. */
const ROUNDS =
  "int rounds(int x) {\n  int i = 0;\n  while (i < 11) {\n    x = x / 3;\n    i = i + 1;\n  }\n  if (x > 1) return 1;\n  return 0;\n}\n";
/** None of its runs comes to an end, but both sides of the inner decision are taken. */
const ENDLESS = "int endless(int x) {\n  while (1) {\n    if (x > 9) x = 1;\n    else x = x + 2;\n  }\n}\n";
/** Three times the end of a run without a `return`. */
const ENDS = "int ends(int x) {\n  if (x == 1) abort();\n  if (x == 2) exit(3);\n  if (x > 2) assert(x < 9);\n  return x;\n}\n";
const HELLO = '#include <stdio.h>\nint main(void) {\n  puts("hi");\n  return 0;\n}\n';
/** What it does depends on a value that is read. */
const READS = "int reads(void) {\n  int year = nondet();\n  if (year % 4 == 0) return 1;\n  return 0;\n}\n";
const PLAIN = "int plain(int x) {\n  if (x > 3) return 1;\n  return 0;\n}\n";
const DEAD = "int dead(int x) {\n  if (x > 3) {\n    if (x > 2) return 1;\n    return 2;\n  }\n  return 3;\n}\n";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** The answer about this program, once it is complete. */
async function said(page, program) {
  await setProgram(page, program);
  const name = /(?:int|void) (\w+)\(/.exec(program)[1];
  await page.waitForFunction((name) => document.querySelector(".cm-content").textContent.includes(name), name);
  await upToDate(page);
  return answered(page);
}
const pane = (page, id) => page.locator(`#panel-${id}`);
const visible = (page, css) => page.locator(css).filter({ visible: true }).count();

test("the first line claims nothing because of a bound, and says how long a run is", async () => {
  const { page, context, errors } = await open(site);
  assert.match(await said(page, ROUNDS), /^All 4 branches can run\b.* 36 steps\b/);
  assert.equal(await page.locator("[data-answer][data-answer-done]").count(), 1);
  // Cover says the same, and what the answer asked is not asked again.
  await tab(page, "Cover");
  await pane(page, "cover").locator(".kind.tests li").first().waitFor();
  assert.match(
    (await pane(page, "cover").locator(".summary").innerText()).replace(/\s+/g, " "),
    /7 of 7 statements covered by 2 tests .*loops unwound 11 times/,
  );
  await openSettings(page);
  assert.equal(await page.getByLabel("Unwindings").inputValue(), "");
  await page.getByLabel("Unwindings").fill("2");
  await bar(page, "Analyse").click();
  await pane(page, "cover")
    .getByRole("heading", { name: /^Not within 2 unwindings ?: \d/ })
    .waitFor();
  // What is asked for within a bound changes nothing in the answer.
  assert.match(await answered(page), /^All 4 branches can run\b.* 36 steps\b/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a branch that some run takes can run, whether or not the run comes to its end", async () => {
  const { page, context, errors } = await open(site);
  assert.match(await said(page, ENDLESS), /^1 of 4 branches can never run\b.*No run comes to the end\b/);
  // And an endless loop needs no return.
  assert.equal(await page.locator(".problems li").count(), 0);
  assert.match(await said(page, ENDS), /^All 8 branches can run\. Runs fail in 2 places\. Of \d+ paths, \d+ can run\.$/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a program without a decision is one path, in the first line and in the tabs", async () => {
  const { page, context, errors } = await open(site);
  assert.equal(await said(page, HELLO), "1 path, it runs.");
  await tab(page, "Cover");
  await pane(page, "cover").getByText("there is 1 path, and it runs").waitFor();
  await tab(page, "Branches");
  await pane(page, "branches").getByText("The function decides nothing").waitFor();
  for (const id of ["cover", "branches"]) assert.doesNotMatch(await pane(page, id).innerText(), /\b0 (of|infeasible|open)\b/, id);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("only a program without inputs has none", async () => {
  const { page, context, errors } = await open(site);
  await said(page, READS);
  await tab(page, "Branches");
  await pane(page, "branches").locator(".kind.tests li").first().waitFor();
  assert.equal(await pane(page, "branches").getByText("no inputs").count(), 0);
  await said(page, HELLO.replace("main", "hello"));
  await tab(page, "Cover");
  await bar(page, "Analyse").click();
  await pane(page, "cover").getByText("no inputs: it always runs").first().waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("nothing red stands beside 0", async () => {
  const { page, context, errors } = await open(site);
  await said(page, PLAIN);
  await tab(page, "Branches");
  const zero = pane(page, "branches").getByText("0 infeasible", { exact: true });
  await zero.waitFor();
  const colours = await page.evaluate(() =>
    ["--no", "--ink-2"].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()),
  );
  const colour = await zero.evaluate((e) => getComputedStyle(e).color);
  const rgb = (hex) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;
  assert.notEqual(colour, rgb(colours[0]));
  assert.equal(await pane(page, "branches").locator(".summary").getByText("✕").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a search that was stopped says so, with what is known so far, also in the first line", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  const held = await holding(page, "cover", "event.kind === 'reached'");
  await page.reload();
  await setProgram(page, PLAIN);
  await until(() => held.length > 0, "the run is held");
  await page.waitForFunction(() =>
    /^\d of 2 branches can run so far…/.test(document.querySelector(".answer")?.innerText.split("\n")[0].trim() ?? ""),
  );
  // The tab shows the very run that the answer is made from.
  await tab(page, "Cover");
  await until(() => bar(page, "Cancel").isVisible());
  await bar(page, "Cancel").click();
  await cancelled(pane(page, "cover"));
  await page.waitForFunction(() => document.querySelector(".answer")?.textContent.startsWith("Cancelled: "));
  assert.match(await page.locator(".answer").innerText(), /^Cancelled: 1 of 2 branches can run, 1 open\./);
  assert.doesNotMatch(await pane(page, "cover").innerText(), /No test|infeasible/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("leaving a tab neither cancels nor loses its run", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  const held = await holding(page, "explain");
  await page.reload();
  await upToDate(page);
  await tab(page, "Explain");
  await until(() => held.length > 0, "the run is held");
  // Others begin and come to their ends meanwhile.
  for (const [name, id] of [
    ["Prune", "prune"],
    ["Reach", "reach"],
    ["Branches", "branches"],
  ]) {
    await tab(page, name);
    await page.waitForFunction(
      (id) =>
        document.querySelector(`#panel-${id} .pane`) &&
        !document.querySelector(`#panel-${id} .run-state progress`) &&
        document.querySelector(`#panel-${id} [aria-busy=true]`) === null,
      id,
    );
    assert.equal(await pane(page, id).getByText("Cancelled").count(), 0, name);
  }
  await tab(page, "Explain");
  assert.equal(await pane(page, "explain").locator(".run-state progress").count(), 1);
  assert.ok(await bar(page, "Cancel").isVisible());
  await held[0].fulfill({ body: "" });
  await pane(page, "explain").locator(".prefixes li").first().waitFor();
  assert.equal(await page.getByText("Cancelled").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("of a refused program nothing earlier is shown, in any tab; mended, all comes back", async () => {
  const { page, context, errors } = await open(site);
  await said(page, DEAD);
  await tab(page, "Branches");
  await pane(page, "branches").locator(".kind.branches li").first().waitFor();
  const signs = await visible(page, ".cm-signs .sign");
  assert.ok(signs > 0);
  const answer = await page.locator(".answer").innerText();
  await setProgram(page, DEAD.replace("x > 2)", "x > 2"));
  await refused(page);
  const reason = page.getByRole("region", { name: "The program was refused" });
  await reason.waitFor();
  assert.match(await reason.innerText(), /line 3, column \d+/);
  for (const name of ["Graph", "Paths", "Prune", "Explain", "Reach", "Cover", "Branches", "Report", "Run"]) {
    await tab(page, name);
    assert.ok(await reason.isVisible(), name);
    for (const css of [
      ".pane",
      ".graph .edge",
      "table.paths",
      ".kind",
      ".summary",
      ".save",
      ".path-bar",
      ".answer",
      ".cm-signs .sign",
      ".cm-line.cm-at",
    ])
      assert.equal(await visible(page, css), 0, `${name}: ${css}`);
  }
  assert.deepEqual(await violations(page), []);
  await reason.getByRole("button", { name: /^line 3/ }).click();
  await page.locator(".cm-activeLine", { hasText: "if (x > 2" }).waitFor();
  // Evidence from elsewhere can be checked all the same.
  await tab(page, "Proofs");
  await pane(page, "check").getByRole("heading", { name: "Check the evidence" }).waitFor();
  await tab(page, "Branches");
  await setProgram(page, DEAD);
  await reason.waitFor({ state: "detached" });
  await pane(page, "branches").locator(".kind.branches li").first().waitFor();
  assert.equal(await visible(page, ".cm-signs .sign"), signs);
  assert.equal(await page.locator(".answer").innerText(), answer);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the first line counts what the command line's documents say", {
  skip: existsSync(native) ? false : "the native program is not built",
}, async () => {
  const { page, context, errors } = await open(site);
  for (const program of [ROUNDS, ENDLESS, DEAD, READS]) {
    const line = await said(page, program);
    const { branches } = JSON.parse(execFileSync(native, ["branches", "-", "--json"], { input: program, encoding: "utf8" }));
    const { total, covered, infeasible, open } = branches;
    const wanted =
      infeasible > 0 && open === 0
        ? `${infeasible} of ${total} branches can never run`
        : open === 0
          ? `All ${total} branches can run`
          : `${covered} of ${total} branches can run`;
    assert.ok(line.startsWith(wanted), `${line} but ${JSON.stringify(branches)}`);
  }
  assert.deepEqual(errors, []);
  await context.close();
});
