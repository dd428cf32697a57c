// The Cover tab: tests that mark their lines, the kinds of what is not covered told apart, errors, programs in blocks.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import {
  cancelled,
  copiedBy,
  downloaded,
  drawn,
  edgeTexts,
  launch,
  open,
  openSettings,
  refused,
  setProgram,
  settings,
  tab,
  until,
  upToDate,
  violations,
} from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const pane = (page) => page.locator(".cover-pane");
const button = (page, name) => page.locator(".cover-pane, header").getByRole("button", { name, exact: true });
const flat = (text) => text.replace(/\s+/g, " ").trim();
const summary = async (page) => flat(await pane(page).locator(".summary").innerText());
/** The rows of a list, as `line text`. */
const rows = (page, kind) =>
  pane(page)
    .locator(`.kind.${kind} ol > li > button`)
    .evaluateAll((all) => all.map((row) => `${row.children[0].textContent} ${row.children[2].textContent}`));
const row = (page, kind, text) => pane(page).locator(`.kind.${kind} button.row`, { hasText: text }).first();
const margin = (page) =>
  page.locator(".cm-signs .cm-gutterElement").evaluateAll((all) => all.map((one) => one.textContent).filter(Boolean));
const edgesWith = (page, name) => edgeTexts(page.locator(`.of-cover [data-edge].${name}`));

async function shown(page, program) {
  await setProgram(page, program);
  await upToDate(page);
}

/** Runs with a bound, and waits for the verdicts. */
async function cover(page, unwind) {
  await openSettings(page);
  await page.getByLabel("Unwindings").fill(String(unwind));
  await button(page, "Analyse").click();
  await done(page);
}
const done = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector(".cover-pane")?.getAttribute("aria-busy") === "false" && document.querySelector(".cover-pane .summary .badge"),
  );

/** Line 8 needs two rounds of the loop; s is never odd; the assertion fails for d = 5, and line 13 leaves the array. */
const ROUNDS = `int rounds(int n, int d) {
  int a[4];
  int i = 0, s = 0;
  while (i < n) {
    i++;
    s = s + 2;
  }
  if (i == 2)
    s = s + 1;
  else if (s == 3)
    s = 0;
  if (d >= 0)
    a[d] = s;
  assert(d != -5);
  return s;
}
`;

test("an infeasible statement and one that needs two unwindings are told apart, then the second is covered", async () => {
  const { page, context, errors, outside } = await open(site);
  await shown(page, ROUNDS);
  await tab(page, "Cover");
  await done(page);
  await cover(page, 1);
  assert.match(
    await summary(page),
    /^✓ 12 of 17 statements covered by \d tests ✕ 2 infeasible in every execution ⊘ 1 never completes ↻ 2 not within 1 unwinding ! 2 errors/,
  );
  assert.match(await summary(page), /\d queries · loops unwound once · .* m?s$/);
  assert.deepEqual(await rows(page, "infeasible"), ["10 s == 3", "11 s = 0"]);
  assert.deepEqual(await rows(page, "within"), ["8 i == 2", "9 s = s + 1"]);
  assert.deepEqual(await rows(page, "never"), ["14 !(d != -5)"]);
  // The same in the margin and in the graph, by signs and not only by colours.
  assert.deepEqual(await margin(page), ["✓", "✓", "✓", "✓", "✓↻", "↻", "✓✕", "✕", "✓", "✓", "✓⊘"]);
  await page.waitForFunction(() => document.querySelectorAll(".of-cover [data-edge].v-infeasible").length === 2);
  assert.deepEqual(await edgesWith(page, "v-infeasible"), ["✕ s == 3", "✕ s = 0"]);
  assert.deepEqual(await edgesWith(page, "v-within"), ["↻ i == 2", "↻ s = s + 1"]);
  assert.deepEqual(await edgesWith(page, "v-never"), ["⊘ d == -5"]);
  assert.equal((await edgesWith(page, "v-covered")).length, 12);
  assert.deepEqual(await pane(page).locator(".pane-bar .legend li").allTextContents(), [
    "✓covered",
    "✕infeasible in every execution",
    "⊘never completes",
    "↻not within 1 unwinding",
  ]);
  assert.deepEqual(await violations(page), []);

  // Why: the conditions, in the list, the program and the graph.
  await row(page, "infeasible", "s = 0").click();
  const about = async () => flat(await pane(page).locator("li.chosen .about").innerText());
  assert.match(
    await about(),
    /^No execution takes it: a certificate over all executions\. What excludes it, within 1 unwinding: line 10 s == 3, which no execution takes$/,
  );
  assert.deepEqual(await page.locator(".cm-line.cm-reason").allTextContents(), ["  else if (s == 3)"]);
  assert.deepEqual(await page.locator(".cm-line.cm-at").allTextContents(), ["    s = 0;"]);
  assert.deepEqual(await edgesWith(page, "reason"), ["✕ s == 3"]);
  assert.deepEqual(await edgesWith(page, "at"), ["✕ s = 0"]);
  await row(page, "within", "s = s + 1").click();
  assert.match(
    await about(),
    /^Bounded: no execution with at most 1 unwinding takes it and completes\. .*line 8 i == 2 No execution within the bound even reaches it\.$/,
  );
  assert.deepEqual(await page.locator(".cm-line.cm-reason").allTextContents(), ["  if (i == 2)"]);
  // What never completes has the input that gets there.
  await row(page, "never", "d != -5").click();
  assert.match(
    await about(),
    /^An input takes it; no execution that does completes\..* No way leads from there to the exit\. Reached with n = 0, d = -5/,
  );
  assert.match(await page.locator(".path-bar .where").innerText(), /Run to line 14.*line 14 d == -5/);
  assert.deepEqual(await violations(page), []);

  await button(page, "Unwind more: 2 times").click();
  await page.waitForFunction(() => document.querySelector(".cover-pane .summary")?.textContent.includes("2 times"));
  assert.equal(await pane(page).locator(".kind.within").count(), 0);
  assert.deepEqual(await rows(page, "infeasible"), ["10 s == 3", "11 s = 0"]);
  assert.match(await summary(page), /^✓ 14 of 17 statements/);
  assert.equal(
    await pane(page)
      .getByRole("button", { name: /^Unwind more/ })
      .count(),
    0,
  );
  assert.deepEqual(await margin(page), ["✓", "✓", "✓", "✓", "✓", "✓", "✓✕", "✕", "✓", "✓", "✓⊘"]);
  // The evidence holds.
  await button(page, "Check the evidence").click();
  await page.getByText(/claims hold\b/).waitFor();
  assert.equal(await page.locator("li.rejected").count(), 0);
  // The margin belongs to the Cover tab.
  assert.deepEqual(await margin(page), ["✓", "✓", "✓", "✓", "✓", "✓", "✓✕", "✕", "✓", "✓!", "✓!", "✓"]);
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  await context.close();
});

test("a test marks its lines, is walked along by keys, and its input is copied", async () => {
  const { page, context, errors } = await open(site);
  await shown(page, ROUNDS);
  await tab(page, "Cover");
  await done(page);
  const tests = pane(page).locator(".kind.tests button.row");
  const inputs = await tests.locator(".evidence").allTextContents();
  const rounds = inputs.findIndex((text) => /n = 2/.test(text));
  assert.ok(rounds >= 0, inputs.join(" | "));
  await tests.nth(rounds).focus();
  await page.keyboard.press("Enter");
  await page.locator(".path-bar").waitFor();
  // All lines of the test at once, then one by one.
  assert.match(await page.locator(".path-bar .where").innerText(), new RegExp(`Test ${rounds + 1}, step (\\d+) of \\1 `));
  const lines = ROUNDS.split("\n");
  const writes = Number(/\bd = (-?\d+)/.exec(inputs[rounds])?.[1] ?? 0) >= 0;
  const passed = [3, 4, 5, 6, 8, 9, 12, ...(writes ? [13] : []), 14];
  assert.deepEqual(
    await page.locator(".cm-line.cm-passed, .cm-line.cm-at").allTextContents(),
    passed.map((line) => lines[line - 1]),
  );
  await page.getByLabel("First step").click();
  await tests.nth(rounds).focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
  assert.deepEqual(await page.locator(".cm-line.cm-at").allTextContents(), ["    i++;"]);
  assert.deepEqual(await page.locator(".cm-line.cm-passed").allTextContents(), ["  int i = 0, s = 0;", "  while (i < n) {"]);
  assert.ok((await page.locator(".of-cover .edge.on-path").count()) > 5);
  const copied = JSON.parse(await copiedBy(page, () => button(page, "Copy as JSON").click()));
  assert.equal(copied.n, 2);
  assert.equal(await copiedBy(page, () => button(page, "Copy").click()), inputs[rounds]);
  // Rows by keys, and away again.
  await tests.nth(rounds).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".path-bar").count(), 0);

  const failing = pane(page).locator(".kind.errors button.row");
  assert.deepEqual(await failing.allTextContents().then((all) => all.map((text) => /^(\d+)/.exec(text)[1])), ["13", "14"]);
  await failing.first().click();
  assert.match(
    await page.locator(".path-bar .where").innerText(),
    /Error 1, step (\d+) of \1 · line 13 a\[d\] = s ✕ `?a`? has 4 elements, so there is none at index \d+/,
  );
  assert.deepEqual(await page.locator(".cm-line.cm-at").allTextContents(), ["    a[d] = s;"]);
  await failing.nth(1).click();
  assert.match(await page.locator(".path-bar .where").innerText(), /Error 2.*line 14 d == -5 ✕ a failed assertion/);
  assert.match(flat(await pane(page).locator("li.chosen .about").innerText()), /^n = 0, d = -5/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a link brings back the tab, the bound, the algorithm and the precondition", async () => {
  const { page, context, errors } = await open(site);
  await shown(page, ROUNDS);
  await tab(page, "Cover");
  await done(page);
  await openSettings(page);
  await page.getByLabel("Algorithm").selectOption("pc");
  await page.getByLabel("Precondition").fill("d > 100");
  await cover(page, 2);
  // Any index that the precondition allows.
  const [error, ...others] = await rows(page, "errors");
  assert.equal(others.length, 0);
  assert.ok(Number(/^13 a\[d\] = s a has 4 elements, so there is none at index (\d+)$/.exec(error)?.[1]) > 100, error);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const second = await open(site, { hash: new URL(page.url()).hash });
  await done(second.page);
  assert.equal(await settings(second.page).getAttribute("title"), "2 unwindings · pc · precondition d > 100");
  assert.deepEqual(await rows(second.page, "errors"), await rows(page, "errors"));
  // What is wrong with a precondition is said.
  await openSettings(page);
  await page.getByLabel("Precondition").fill("d >");
  await button(page, "Analyse").click();
  await pane(page).locator(".mark.bad").waitFor();
  assert.deepEqual([...errors, ...second.errors], []);
  await second.context.close();
  await context.close();
});

const BLOCKS = `proc main(x) returns r {
  start: r := 0;
         goto low, high;
  low: assume x < 5;
       r := call twice(x);
       goto end;
  high: assume x >= 5 && x < 3;
        r := 1;
        goto end;
  end:
}

proc twice(y) returns z {
  only: z := y + y;
}
`;

test("a program in the block language is detected, highlighted and covered", async () => {
  const { page, context, errors } = await open(site);
  await shown(page, BLOCKS);
  assert.match(await page.locator(".hint").innerText(), /^Block language/);
  const words = await page
    .locator(".cm-line span")
    .evaluateAll((spans) => spans.filter((span) => Number(getComputedStyle(span).fontWeight) >= 600).map((span) => span.textContent));
  for (const word of ["proc", "returns", "goto", "assume", "call", "start", "end"]) assert.ok(words.includes(word), `${word} in ${words}`);
  await tab(page, "Cover");
  await done(page);
  assert.match(await summary(page), /covered by 1 test ✕ 2 infeasible in every execution .* all executions/);
  assert.deepEqual(
    (await rows(page, "infeasible")).map((text) => text.slice(0, 1)),
    ["7", "8"],
  );
  assert.match((await rows(page, "tests"))[0], /x = \d+, nondet\(\) = 1/);
  // The examples, and a program made up by the engine.
  await page.getByRole("button", { name: "Examples" }).click();
  assert.equal(await page.locator(".menu-list button .tag").count(), 2);
  await page.getByLabel("Diamonds").fill("10");
  assert.equal(await page.locator(".random .make").isDisabled(), true);
  await page.getByLabel("Diamonds").fill("2");
  await page.getByLabel("Seed", { exact: true }).fill("7");
  assert.deepEqual(await violations(page), []);
  await page.locator(".random .make").click();
  await page.getByText(/random program.*2 diamonds, seed 7/).waitFor();
  await upToDate(page);
  assert.match(await page.locator(".cm-content").innerText(), /2 diamonds from seed 7[\s\S]*proc main/);
  await button(page, "Analyse").click();
  await page.waitForFunction(() => /of \d\d+ statements/.test(document.querySelector(".cover-pane .summary")?.textContent ?? ""));
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-list button", { hasText: "Two diamonds" }).click();
  await upToDate(page);
  await button(page, "Analyse").click();
  await page.waitForFunction(() => /covered by 4 tests/.test(document.querySelector(".cover-pane .summary")?.textContent ?? ""));
  const wanted = /expect: infeasible lines = (.*)/.exec(
    await readFile(new URL("../../examples/diamonds.blocks", import.meta.url), "utf8"),
  )[1];
  assert.equal((await rows(page, "infeasible")).map((text) => text.split(" ")[0]).join(" "), wanted);
  assert.deepEqual(errors, []);
  await context.close();
});

test("mistakes in the block language are shown where they stand, and a loop with two entrances is none", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  const problem = async (program) => {
    await setProgram(page, program);
    await refused(page);
    return flat(await page.locator(".problems li").first().innerText());
  };
  assert.match(
    await problem("proc f(x) {\n  one: goto two, tow;\n  two:\n}\n"),
    /there is no label tow|there is no label `tow`.*line 2:18/,
  );
  assert.match(await problem("proc f(x) {\n  one: goto one;\n}\n"), /the procedure `f` has no final block.*line 1:6/);
  // This one is a program; its loop has two entrances.
  await shown(page, "proc f(x) {\n  start: goto a, b;\n  a: x := 1;\n     goto b;\n  b: x := 2;\n     goto a, end;\n  end:\n}\n");
  await tab(page, "Cover");
  await page.waitForFunction(() => /6 of 6 statements/.test(document.querySelector(".cover-pane .summary")?.textContent ?? ""));
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

/** Every path is asked for, and there are thousands. */
const MANY = `int many(int x) {\n  int s = 0;\n${Array.from({ length: 14 }, (_, i) => `  if (x % ${i + 2} == 0) s = s + ${i + 1};\n`).join("")}  return s;\n}\n`;

test("a run that is cancelled keeps the tests that it found", async () => {
  const { page, context, errors } = await open(site);
  await shown(page, MANY);
  await tab(page, "Cover");
  await openSettings(page);
  await page.getByLabel("Algorithm").selectOption("pc");
  // The tab runs by itself when it is opened, sooner or later.
  await until(async () => {
    if (await button(page, "Cancel").count())
      await button(page, "Cancel")
        .click()
        .catch(() => {});
    return button(page, "Analyse").isVisible();
  }, "another run can begin");
  await button(page, "Analyse").click();
  await page.waitForFunction(() => document.querySelectorAll(".cover-pane .kind.tests li").length >= 3);
  await button(page, "Cancel").click();
  await cancelled(page);
  assert.match(await summary(page), /^\d+ tests so far\.$/);
  await pane(page).locator(".kind.tests button.row").nth(1).click();
  assert.match(await page.locator(".path-bar .where").innerText(), /^Test 2, step (\d+) of \1/);
  assert.equal((await edgesWith(page, "v-infeasible")).length, 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("summaries of called functions are told of, kept by a link, and change no verdict", async () => {
  const { page, context, errors } = await open(site);
  await shown(page, await readFile(new URL("../../examples/foo_bar.blocks", import.meta.url), "utf8"));
  await page.getByLabel("Function").selectOption("bar");
  await upToDate(page);
  await tab(page, "Cover");
  await cover(page, 0);
  const without = await rows(page, "infeasible");
  assert.deepEqual(without, ["13 b <= 0", "14 foo.c = foo.a - 1"]);
  assert.doesNotMatch(await summary(page), /with summaries/);
  await openSettings(page);
  await page.getByLabel("Summaries of called functions").check();
  await button(page, "Analyse").click();
  await page.waitForFunction(() => document.querySelector(".cover-pane .summary")?.textContent.includes("with summaries"));
  await done(page);
  assert.match(await summary(page), /1 test by 3 queries with summaries: foo has 2 pairs\.$/);
  assert.deepEqual(await rows(page, "infeasible"), without);
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const second = await open(site, { hash: new URL(page.url()).hash });
  await done(second.page);
  assert.match(await summary(second.page), /foo has 2 pairs\.$/);
  assert.equal(await settings(second.page).getAttribute("title"), "0 unwindings · summaries");
  // Where nothing is called there is nothing to tell.
  await shown(page, ROUNDS);
  await button(page, "Analyse").click();
  await page.waitForFunction(() => /No function is called/.test(document.querySelector(".cover-pane .summary")?.textContent ?? ""));
  assert.deepEqual([...errors, ...second.errors], []);
  await second.context.close();
  await context.close();
});

/** The engine with a limit of its own that is soon reached. */
const IMPATIENT = `export * from "./culdesac-web.js?real";
export { default } from "./culdesac-web.js?real";
import { ask as real } from "./culdesac-web.js?real";
export function ask(name, question, ...rest) {
  if (name === "cover") question.request.limit ??= 300;
  return real(name, question, ...rest);
}`;

test("a run that reaches its limit keeps its tests, and goes on", async () => {
  const { page, context, errors } = await open(site);
  // The engine's own limit takes seconds to reach: here it is 300 steps.
  await page.route(/culdesac-web\.js(?!\?real)/, (route) => route.fulfill({ contentType: "text/javascript", body: IMPATIENT }));
  await page.reload();
  await page.waitForSelector(".cm-content", { state: "attached" });
  await shown(page, await readFile(new URL("../../examples/diamonds.blocks", import.meta.url), "utf8"));
  await tab(page, "Cover");
  await done(page);
  await pane(page).getByText("Open: the limit of 300 steps was reached").waitFor();
  const before = (await rows(page, "tests")).length;
  assert.ok(before < 4 && (await pane(page).locator(".kind.open li").count()) > 0);
  assert.equal(await pane(page).locator(".kind.infeasible li").count(), 0);
  assert.deepEqual(await violations(page), []);
  await button(page, "Go on, up to 3,000 steps").click();
  await page.waitForFunction(() => /covered by 4 tests/.test(document.querySelector(".cover-pane .summary")?.textContent ?? ""));
  assert.equal(await pane(page).locator(".kind.open").count(), 0);
  assert.equal(
    await pane(page)
      .getByRole("button", { name: /^Go on/ })
      .count(),
    0,
  );
  assert.deepEqual(errors, []);
  await context.close();
});

/** The cells of a table's body, row by row. */
const cells = (page, table) =>
  pane(page)
    .locator(`${table} tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));

test("the algorithms are compared on random programs, in tables and charts that can be saved", async () => {
  const { page, context, errors, outside } = await open(site);
  await upToDate(page);
  await tab(page, "Cover");
  await done(page);
  await button(page, "Compare algorithms").click();
  assert.equal(await settings(page).getAttribute("title"), "2–9 diamonds × 3");
  await openSettings(page);
  await page.getByLabel("Diamonds from").fill("2");
  await page.getByLabel("to", { exact: true }).fill("4");
  await page.getByLabel("Programs of each size").fill("2");
  await button(page, "Analyse").click();
  await page.waitForFunction(
    () =>
      document.querySelector(".cover-pane")?.getAttribute("aria-busy") === "false" &&
      document.querySelectorAll(".comparison .compared tbody tr").length > 0,
  );
  const totals = await cells(page, ".compared:not(.by-size)");
  assert.deepEqual(
    totals.map(([name]) => name),
    ["pc AlgPC", "sc AlgSC", "fm AlgFM", "vstte AlgVSTTE", "prefer ours"],
  );
  assert.match(await pane(page).locator(".compared caption").first().textContent(), /^6 programs covered by each algorithm/);
  const queries = Object.fromEntries(totals.map(([name, count]) => [name.split(" ")[0], Number(count.replaceAll(",", ""))]));
  // One for each minimal block: four a diamond. The others as the command line counts them.
  assert.equal(queries.fm, 4 * (2 + 3 + 4) * 2);
  assert.ok(queries.prefer < queries.sc && queries.sc < queries.fm && queries.fm < queries.pc, JSON.stringify(queries));
  assert.equal(totals.find(([name]) => name.startsWith("sc"))[5], "1.00");
  const sizes = await cells(page, ".by-size");
  assert.deepEqual(
    sizes.map(([size, , , fm]) => [size, fm]),
    [
      ["2", "8.0"],
      ["3", "12.0"],
      ["4", "16.0"],
    ],
  );
  // A line with a point for each size, in both charts; hidden ones leave both.
  const lines = () => pane(page).locator(".charts .series").count();
  assert.equal(await pane(page).locator(".charts svg").count(), 2);
  assert.equal(await lines(), 10);
  assert.equal(await pane(page).locator(".charts .alg-sc circle").count(), 6);
  await pane(page).locator(".lines").getByRole("button", { name: "vstte" }).click();
  assert.equal(await lines(), 8);
  assert.deepEqual(await violations(page), []);
  const saved = async (click) => {
    const [file] = await Promise.all([page.waitForEvent("download"), click()]);
    return { name: file.suggestedFilename(), text: String(await downloaded(file)) };
  };
  const csv = await saved(() => button(page, "CSV").click());
  assert.equal(csv.name, "algorithms-2-to-4-diamonds.csv");
  const rows = csv.text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  assert.deepEqual(rows[0], ["diamonds", "seed", "algorithm", "queries", "tests", "time_us", "complete"]);
  assert.equal(rows.length, 1 + 3 * 2 * 5);
  assert.equal(
    rows.filter((row) => row[2] === "sc").reduce((sum, row) => sum + Number(row[3]), 0),
    queries.sc,
  );
  const svg = await saved(() =>
    pane(page)
      .getByRole("button", { name: /^Save as SVG: Queries/ })
      .click(),
  );
  assert.equal(svg.name, "algorithms-2-to-4-diamonds-queries.svg");
  assert.match(svg.text, /^<svg[\s\S]*\.chart[\s\S]*<path/);
  assert.ok(!svg.text.includes("var(--"), "colours are put in");

  // A link brings the choice back, but no results; the program's own tests are a click away.
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const second = await open(site, { hash: new URL(page.url()).hash });
  await upToDate(second.page);
  await pane(second.page).locator(".which").waitFor();
  assert.equal(await settings(second.page).getAttribute("title"), "2–4 diamonds × 2");
  assert.equal(await pane(second.page).locator(".compared").count(), 0);
  await button(second.page, "This program").click();
  await done(second.page);

  // What has arrived when it is cancelled is kept: whole programs only.
  await openSettings(page);
  await page.getByLabel("to", { exact: true }).fill("9");
  await page.getByLabel("Programs of each size").fill("20");
  await button(page, "Analyse").click();
  await pane(page).locator(".comparison .compared").first().waitFor();
  assert.match(await pane(page).locator(".run-state").innerText(), /\d of 800 runs · \d diamonds/);
  await button(page, "Cancel").click();
  await cancelled(pane(page));
  const tests = (await cells(page, ".compared:not(.by-size)")).map((row) => row[1]);
  assert.ok(tests.length === 5 && tests.every((count) => /^[\d,]+$/.test(count)), tests.join());
  assert.deepEqual([...errors, ...second.errors], []);
  assert.deepEqual(outside, []);
  await second.context.close();
  await context.close();
});

test("on a phone everything is within reach", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await shown(page, ROUNDS);
  await tab(page, "Cover");
  await done(page);
  await cover(page, 1);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await row(page, "within", "i == 2").tap();
  await pane(page).locator("li.chosen .about").waitFor();
  await tab(page, "Program");
  assert.deepEqual(await page.locator(".cm-line.cm-at").allTextContents(), ["  if (i == 2)"]);
  assert.ok((await margin(page)).includes("↻"));
  await tab(page, "Proofs");
  assert.ok(await page.getByRole("tab", { name: "Proofs" }).evaluate((tab) => tab.getBoundingClientRect().right <= innerWidth));
  assert.deepEqual(errors, []);
  await context.close();
});

const MODE =
  "static int mode;\nvoid set(int m) { if (m >= 0 && m < 3) mode = m; }\nint f(int x) {\n  if (mode == 2) return x;\n  if (mode == 5) return 1;\n  return 0;\n}\n";

test("a test that comes after other calls says which, and what no call leaves says so", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await setProgram(page, MODE);
  await upToDate(page);
  await tab(page, "Cover");
  await page.getByText("after 1 call", { exact: true }).waitFor();
  await page.locator(".side-list li.covered button.row", { hasText: "after 1 call" }).click();
  assert.deepEqual(await page.locator("ol.calls li").allInnerTexts(), ["set(m = 2)"]);
  await page.getByText(/After 1 call .*leaves the statics/).waitFor();
  assert.deepEqual(await page.locator(".side-list li.infeasible .length").allTextContents(), ["if left-by-calls"]);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a test tells what it draws: orders, volatile objects, functions without a body", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await setProgram(
    page,
    "volatile int r;\nint g;\nint inc(void) { return ++g; }\nint sub(int a, int b) { return a - b; }\nint f(void) {\n  g = 0;\n  if (sub(inc(), inc()) == 1) return 1;\n  if (r == 3) return 2;\n  return 0;\n}\n",
  );
  await upToDate(page);
  await tab(page, "Cover");
  await page.locator(".side-list li.covered button.row").first().waitFor();
  const told = [];
  for (const row of await page.locator(".side-list li.covered button.row").all()) {
    await row.click();
    told.push(...(await page.locator(".side-list li.chosen .about p", { hasText: "Drawn:" }).allTextContents()));
  }
  assert.ok(
    told.some((text) => text.includes("line 7: right inc() first")),
    told.join("\n"),
  );
  assert.ok(
    told.some((text) => text.includes("line 8: r = 3, volatile")),
    told.join("\n"),
  );
  assert.deepEqual(errors, []);
  await context.close();
});
