// The Branches tab: every branch of the valves is decided, in the list, the margin and the graph; tests are played; what is known stays
// when a run is cancelled; tests to begin with.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import {
  bar,
  cancelled,
  closeSettings,
  copiedBy,
  downloaded,
  edgeTexts,
  holding,
  launch,
  open,
  openSettings,
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

const VALVES = await readFile(new URL("../../examples/check_valves.c", import.meta.url), "utf8");

const pane = (page) => page.locator(".branches-pane");
const flat = (text) => text.replace(/\s+/g, " ").trim();
const summary = async (page) => flat(await pane(page).locator(".summary").innerText());
const about = async (page) => flat(await pane(page).locator("li.chosen .about").innerText());
/** The rows of a list, as `line sign text`. */
const rows = (page, kind) =>
  pane(page)
    .locator(`.kind.${kind} ol > li > button`)
    .evaluateAll((all) => all.map((row) => [0, 1, 2].map((at) => row.children[at].firstChild.textContent).join(" ")));
const row = (page, kind, text) => pane(page).locator(`.kind.${kind} button.row`, { hasText: text }).first();
/** The signs in the margin, by line. */
const margin = (page) => page.locator(".cm-signs .cm-gutterElement > span").evaluateAll((all) => all.map((one) => one.textContent));
const sign = (page, name, at = 0) => page.locator(`.cm-signs .sign.${name}`).nth(at);
const edgesWith = (page, name) => edgeTexts(page.locator(`.of-branches [data-edge].${name}`));
const done = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector(".branches-pane")?.getAttribute("aria-busy") === "false" && document.querySelector(".branches-pane .summary"),
  );
const where = (page) => page.locator(".path-bar .where").innerText();

async function shown(page, program) {
  await setProgram(page, program);
  await upToDate(page);
}

test("every branch of the valves is decided: in the list, in the margin, and in the graph", async () => {
  const { page, context, errors, outside } = await open(site);
  await shown(page, VALVES);
  await tab(page, "Branches");
  await done(page);
  assert.match(await summary(page), /^✓ 12 of 14 branches covered by 2 tests ✕ 2 infeasible ✓ 0 open Check the evidence$/);
  assert.match(
    flat(await pane(page).locator(".shares").innerText()),
    /^cov_b 85\.7 % of all branches cov_f 100 % of those not infeasible$/,
  );
  assert.deepEqual((await rows(page, "branches")).slice(0, 6), [
    "13 ✕ valve < 0",
    "13 ✓ !(valve < 0)",
    "13 ✕ valve >= valves",
    "13 ✓ !(valve >= valves)",
    "23 ✓ before > 0",
    "23 ✓ !(before > 0)",
  ]);
  assert.deepEqual(await margin(page), ["✓✕", "✓", "✓", "✓", "✓", "✓"]);
  await page.waitForFunction(() => document.querySelectorAll(".of-branches [data-edge].v-infeasible").length === 2);
  assert.equal((await edgesWith(page, "v-covered")).length, 12);
  assert.ok((await edgesWith(page, "v-infeasible")).every((label) => label.startsWith("✕ state_of.valve")));
  assert.deepEqual(await violations(page), []);

  // From the margin to the reason, and with another press to the other branch of the line.
  await sign(page, "infeasible").click();
  await pane(page).locator("li.chosen").waitFor();
  assert.match(await about(page), /^No execution takes it: a certificate over all executions\. line 13, column \d+$/);
  assert.deepEqual(await page.locator(".cm-line.cm-at").allTextContents(), ["    if (valve < 0 || valve >= valves) {"]);
  assert.deepEqual(await edgesWith(page, "at"), ["✕ state_of.valve < 0"]);
  await sign(page, "infeasible").click();
  await page.waitForFunction(() => document.querySelector(".branches-pane li.chosen")?.textContent.includes("valve >= valves"));
  assert.deepEqual(await violations(page), []);

  // What is covered leads to its test, at the step that takes it.
  await sign(page, "covered", 4).click();
  await page.locator(".path-bar").waitFor();
  assert.match(await where(page), /^Test \d, step \d+ of \d+ · line 28 broken > 2/);
  assert.match(await about(page), /^Test \d takes it, replayed\. .*state = \{-1, -1, -1.* It returns\. line 28, column \d+$/);

  // Only some are listed.
  await pane(page).getByRole("button", { name: "✕ 2", exact: true }).click();
  assert.deepEqual(await rows(page, "branches"), ["13 ✕ valve < 0", "13 ✕ valve >= valves"]);
  await pane(page).getByRole("button", { name: "All", exact: true }).click();
  assert.equal((await rows(page, "branches")).length, 14);
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  await context.close();
});

test("a test is played, walked along by keys, copied, and run; the evidence holds", async () => {
  const { page, context, errors } = await open(site);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await shown(page, VALVES);
  await tab(page, "Branches");
  await done(page);
  const tests = pane(page).locator(".kind.tests button.row");
  await tests.nth(1).focus();
  await page.keyboard.press("Enter");
  await page.locator(".path-bar").waitFor();
  assert.match(await where(page), /^Test 2, step (\d+) of \1 /);
  assert.match(await about(page), /It returns\. Lines 13, 17, 22–28, 30\.$/);
  await page.getByLabel("First step").click();
  await page.locator(".path-bar").getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => /step ([3-9]|\d\d)/.test(document.querySelector(".path-bar .where")?.textContent));
  assert.ok((await page.locator(".of-branches .edge.on-path").count()) > 5);
  await page.getByLabel("First step").click();
  await tests.nth(1).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /valve < 0/);
  const input = JSON.parse(await copiedBy(page, () => pane(page).getByRole("button", { name: "Copy as JSON" }).click()));
  assert.equal(input.valves, 3);
  await page.getByRole("button", { name: "Run this input" }).click();
  await page.locator(".run-pane .summary .badge").first().waitFor();
  await tab(page, "Branches");
  assert.match(await where(page), /^Test 2/);
  await pane(page).getByRole("button", { name: "Check the evidence" }).click();
  await page.getByText(/claims hold\b/).waitFor();
  assert.equal(await page.locator("li.rejected").count(), 0);
  // There the margin is about the program, not about the tab.
  assert.deepEqual(await margin(page), ["✓✕", "✕", "✕", ...Array(12).fill("✓")]);
  assert.deepEqual(errors, []);
  await context.close();
});

test("what is known is there while it runs, and stays when it is cancelled", async () => {
  const { page, context, errors } = await open(site);
  const held = await holding(page, "branches", 'event.kind === "branches" && event.counts.covered > 0');
  await page.reload();
  await shown(page, VALVES);
  await tab(page, "Branches");
  await until(() => held.length > 0, "the run is held");
  await pane(page).locator(".kind.tests button.row").first().waitFor();
  assert.equal(await pane(page).getAttribute("aria-busy"), "true");
  // The run on zeros takes no round of a loop.
  const partly = /^✓ 4 of 14 branches covered by 1 test so far \? 10 open$/;
  assert.match(await summary(page), partly);
  assert.deepEqual(await margin(page), ["?", "✓?", "✓?", "?", "✓?", "✓?"]);
  assert.equal((await rows(page, "branches")).length, 14);
  await row(page, "tests", "valves = 0").click();
  assert.match(await where(page), /^Test 1, step/);
  assert.deepEqual(await violations(page), []);
  await bar(page, "Cancel").click();
  await cancelled(pane(page));
  assert.match(await summary(page), partly);
  assert.match(await where(page), /^Test 1, step/);
  await pane(page)
    .getByText(/run was stopped.*may be covered or infeasible/)
    .waitFor();
  await row(page, "branches", "broken > TOLERANCE").click();
  assert.match(await about(page), /^The run was stopped before an input or a proof was found\. line 28/);
  assert.match(flat(await pane(page).locator(".shares").innerText()), /^cov_b 28\.5 % of all branches cov_f 28\.5 %/);
  await page.waitForFunction(() => document.querySelectorAll(".of-branches [data-edge].v-open").length === 10);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

/** No search guesses what the product is. */
const GUESS = "int f(int a, int b) {\n  if (a * a * b == 1058841)\n    return 1;\n  return 0;\n}\n";

test("tests to begin with: given ones, with what is wrong with them, and those of Cover; links bring them back", async () => {
  const { page, context, errors } = await open(site);
  await shown(page, GUESS);
  await tab(page, "Cover");
  await page.locator(".cover-pane .summary .badge").first().waitFor();
  await tab(page, "Branches");
  await done(page);
  await openSettings(page);
  const given = page.getByLabel("A JSON array of inputs");
  const run = bar(page, "Analyse");
  await page.getByLabel("Tests to begin with").selectOption("given");
  const wrong = page.locator(".popover-panel .error");
  for (const [text, says] of [
    ["", /^Paste a JSON array of inputs/],
    ["[{]", /^This is not JSON: .*position 2/],
    ["5", /^A JSON array of inputs is needed/],
    ['[{"a": 1}, 7]', /^Test 2: An object/],
    ['[{"a": 1.5}]', /^Test 1: “a”: integers/],
  ]) {
    await given.fill(text);
    assert.match(await wrong.innerText(), says);
    assert.equal(await run.isDisabled(), true);
  }
  assert.deepEqual(await violations(page), []);
  await given.fill('[{"a": 1029, "b": 1}]');
  await closeSettings(page);
  await run.click();
  await done(page);
  assert.match(await summary(page), /^✓ 2 of 2 branches covered by 2 tests 0 infeasible ✓ 0 open/);
  assert.match(await pane(page).locator("p.numbers").innerText(), /^begun with 1 test · 4 runs · 0 steps at the frontier/);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const second = await open(site, { hash: new URL(page.url()).hash });
  await done(second.page);
  assert.match(await second.page.locator(".branches-pane p.numbers").innerText(), /^begun with 1 test/);
  await second.context.close();
  // An input that does not fit is said with its number.
  await openSettings(page);
  await given.fill('[{"c": 1}]');
  await closeSettings(page);
  await run.click();
  await pane(page).locator(".mark.bad", { hasText: "test 1: " }).waitFor();
  await openSettings(page);
  await page.getByLabel("Tests to begin with").selectOption("cover");
  await page.getByLabel("Which branch comes next").selectOption("discovery");
  await closeSettings(page);
  await run.click();
  await done(page);
  assert.match(await pane(page).locator("p.numbers").innerText(), /^begun with \d tests? /);
  assert.match(await settings(page).getAttribute("title"), /as in the paper · begun with Cover's tests/);
  assert.equal(await pane(page).locator("table.others").count(), 0);
  await openSettings(page);
  await page.getByLabel("Compare with other searches").check();
  await closeSettings(page);
  await run.click();
  await done(page);
  const table = pane(page).locator("table.others tbody tr");
  assert.deepEqual(await table.locator("th").allTextContents(), ["Branches", "random inputs", "depth first", "by distance"]);
  assert.match(await table.first().innerText(), /2 of 2\s+100 %/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, [], "and nothing went wrong");
  assert.deepEqual([...second.errors], []);
  await context.close();
});

test("what is open says why, in a program that calls itself; one without decisions has no branch", async () => {
  const { page, context, errors } = await open(site);
  await shown(
    page,
    "int down(int n, int k) {\n  if (n > 30)\n    return 1;\n  return down(n + 1, k);\n}\nint f(int k) {\n  if (down(0, k * 3 % 7 + k) == 2)\n    return 1;\n  return 0;\n}\n",
  );
  await tab(page, "Branches");
  await done(page);
  assert.match(await summary(page), /^✓ 3 of 4 branches covered by 1 test \? 1 open/);
  await pane(page).locator(".mark.open", { hasText: "Open: functions that call themselves are followed only so far" }).waitFor();
  await sign(page, "open").click();
  await pane(page).locator("li.chosen").waitFor();
  assert.match(
    await about(page),
    /^Functions that call themselves are followed only so far, and deeper calls may take it\. line 7, column \d+/,
  );
  assert.deepEqual(await violations(page), []);
  await shown(page, "int f(int x) { return x; }\n");
  await pane(page).getByRole("button", { name: "Run again" }).click();
  await pane(page)
    .getByText(/no branch/)
    .waitFor();
  assert.deepEqual(await margin(page), []);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

const root = new URL("../..", import.meta.url).pathname;
const native = process.env.CULDESAC ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/culdesac");
const skip = existsSync(native) ? false : "the native program is not built";

/** What the command line writes of the program, by the names of the files, and says of it. */
async function written(program, format) {
  const folder = await mkdtemp(join(tmpdir(), "culdesac-"));
  try {
    await writeFile(join(folder, "program.c"), program);
    const { status, stderr } = spawnSync(native, ["branches", "program.c", "--tests-out", "out", "--tests-format", format], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    const names = (await readdir(join(folder, "out"))).sort();
    const files = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, "out", name), "utf8")])),
    );
    const [, wrote, summary] = /^wrote (.*) to out: (.*)$/m.exec(stderr);
    return { files, wrote, summary, notes: [...stderr.matchAll(/^note: (test .*)$/gm)].map(([, note]) => note) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Values that calls draw, in `main`: the suite is one of the program itself. */
const DRAWS =
  "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 3 && __VERIFIER_nondet_int() == x + x)\n    return 1;\n  return 0;\n}\n";
/** Statics that only calls before give other values. */
const CALLED = "static int calls;\nint f(int x) {\n  calls++;\n  if (calls > 2 && x == 77)\n    return 1;\n  return 0;\n}\n";
/** Two tests need an array that no test holds, and are left out. */
const FAR = "int g(int a[], int n) {\n  if (n > 5 && a[150000] == 3)\n    return 1;\n  return 0;\n}\n";
const FORMS = [
  ["c", "Plain C", "suite"],
  ["freestanding", "Freestanding", "freestanding"],
  ["unity", "Unity", "unity"],
  ["cmocka", "CMocka", "cmocka"],
  ["testcomp", "Test-Comp", "testcomp"],
  ["json", "JSON", "tests"],
  ["csv", "CSV", "table"],
  ["lcov", "LCOV", "coverage"],
];

test("tests are saved for other tools: the very files of the command line, and what it says of them", { skip }, async () => {
  const { page, context, errors } = await open(site);
  const notes = [];
  for (const [program, name] of [
    [VALVES, "check_valves"],
    [DRAWS, "main"],
    [CALLED, "f"],
    [FAR, "g"],
  ]) {
    await shown(page, program);
    await tab(page, "Branches");
    if (program !== VALVES) await bar(page, "Analyse").click();
    await done(page);
    const saved = pane(page).locator(".saved p");
    const forms = pane(page).locator(".save").getByRole("group");
    assert.deepEqual(await forms.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))), [
      "Save tests, C",
      "Save tests, for tools",
    ]);
    assert.deepEqual(
      await forms.getByRole("button").allTextContents(),
      FORMS.map(([, title]) => title),
    );
    for (const [format, title, file] of FORMS) {
      const button = forms.getByRole("button", { name: title, exact: true });
      await button.focus();
      const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
      const archive = `${name}-${file}.zip`;
      assert.equal(download.suggestedFilename(), archive);
      const files = Object.fromEntries(
        Object.entries(unzipSync(await downloaded(download))).map(([name, text]) => [name, strFromU8(text)]),
      );
      const there = await written(program, format);
      assert.deepEqual(files, there.files, `${name} ${format}`);
      assert.equal(await saved.first().innerText(), `Saved ${there.wrote} as ${archive}: ${there.summary}`);
      const plain = (text) => text.replaceAll("`", "").toLowerCase();
      assert.deepEqual((await saved.allInnerTexts()).slice(1).map(plain), there.notes.map(plain));
      notes.push(...there.notes);
    }
  }
  assert.ok(notes.length > 0);
  assert.deepEqual(await violations(page), []);
  // A suite in C is one of a program in C.
  await shown(page, await readFile(new URL("../../examples/foo_bar.blocks", import.meta.url), "utf8"));
  await bar(page, "Analyse").click();
  await done(page);
  assert.deepEqual(await pane(page).locator(".save button").allTextContents(), ["JSON", "CSV", "LCOV"]);
  assert.deepEqual(await pane(page).locator(".saved p").allTextContents(), []);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

const strip = (page) => page.locator(".stepper");
const said = (page) => strip(page).locator(".sentence").innerText();
const at = async (page) =>
  flat(await strip(page).locator(".count").innerText())
    .split(" / ")
    .map((text) => Number(text.replace(/\D/g, "")));
const notes = (page) => page.locator(".of-branches .note[transform] text").allTextContents();
const atWork = (page) => pane(page).locator(".views").getByRole("button", { name: "At work" });
/** What is wanted, in the list. */
const conditions = (page) => pane(page).locator(".kind.wanted .evidence").allTextContents();
/** Steps on until the sentence is such a one. */
async function onTo(page, sentence) {
  for (let i = 0; i < 200 && !sentence.test(await said(page)); i++) await strip(page).getByLabel("Step on").click();
  assert.match(await said(page), sentence);
}

test("the graph at work: S-states, R-states and the frontier after each step", async () => {
  const { page, context, errors } = await open(site);
  await shown(page, VALVES);
  await tab(page, "Branches");
  await done(page);
  await atWork(page).click();
  // It begins at the end, when all is decided.
  const [now, last] = await at(page);
  assert.ok(now === last && last > 60, `${now} of ${last}`);
  assert.deepEqual([await notes(page), await edgesWith(page, "frontier")], [[], []]);
  await pane(page)
    .getByText(/Nothing is wanted/)
    .waitFor();
  assert.deepEqual(await violations(page), []);

  await strip(page).getByLabel("First step").click();
  assert.match(await said(page), /^Before the first step/);
  assert.equal(await page.locator(".of-branches [data-node].reached").count(), 0);
  await strip(page).getByLabel("Step on").click();
  assert.match(await said(page), /^Run 1, on zeros, reaches 7 locations and takes 6 edges for the first time\.$/);
  assert.deepEqual(
    [await page.locator(".of-branches [data-node].reached").count(), await page.locator(".of-branches [data-node].unreached").count()],
    // Ten locations are not reached: three of them stand within a box.
    [7, 7],
  );
  assert.equal((await edgesWith(page, "v-taken")).length, 6);
  assert.equal(await page.locator(".of-branches [data-edge].on-path").count(), 6);
  // Keys go on.
  await page.keyboard.press("ArrowRight");
  const beside = ["before > 0", "valve < valves", "broken > 2", "after > 0"];
  assert.match(
    await said(page),
    /^Wanted from now on, as the run passes by: line 23 before > 0, line 25 valve < valves, line 28 broken > 2 and 1 more\.$/,
  );
  assert.deepEqual((await edgesWith(page, "frontier")).sort(), [...beside].sort());
  assert.deepEqual(await notes(page), ["R 1", "R 1", "R 1", "R 1"]);
  assert.deepEqual(
    await conditions(page),
    beside.map((edge) => `behind ${edge}`),
  );
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("ArrowRight");
  assert.match(
    await said(page),
    /^Forward: a known run is diverted along line 23 before > 0\. That is run 2, which reaches 1 location and takes 2 edges/,
  );

  await onTo(page, /^Backward: 3 <= broken is wanted before line 28 broken > 2\.$/);
  assert.equal((await conditions(page))[0], "3 <= broken");
  await row(page, "wanted", "3 <= broken").click();
  assert.match(
    await about(page),
    /^At location \d+\. From here line 28 broken > 2 leads to true\. Show the line Wanted for line 28 broken > 2\. Frontier before it: line 25 valve >= valves\.$/,
  );
  assert.equal(await page.locator(".of-branches [data-node].selected").count(), 1);
  assert.deepEqual(await violations(page), []);

  await onTo(page, /^The frontier edge is gone: .* contradicts itself\.$/);
  assert.equal(await page.locator(".of-branches .cross").count(), 1);
  await onTo(page, /^No frontier edge is left on the way to line 13 state_of\.valve/);
  await onTo(page, /^Proved infeasible: no execution takes line 13 state_of\.valve .*Coarsening: \d+ wanted states go\.$/);
  assert.ok((await pane(page).locator(".wanted li.removed").count()) > 2);
  assert.equal((await edgesWith(page, "v-infeasible")).length, 1);
  assert.deepEqual(await violations(page), []);

  // It plays, and a sign in the margin leads back to what was found.
  await strip(page).getByLabel("Play", { exact: true }).click();
  const before = (await at(page))[0];
  await until(async () => (await at(page))[0] > before, "it plays");
  await sign(page, "infeasible").click();
  await pane(page).locator(".kind.branches li.chosen").waitFor();
  assert.equal(await strip(page).count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the graph is at work while it runs, and what was done stays when it is cancelled", async () => {
  const { page, context, errors } = await open(site);
  const held = await holding(page, "branches", 'event.kind === "branches_step" && event.step.did.kind === "backward"');
  await page.reload();
  await shown(page, VALVES);
  await tab(page, "Branches");
  await until(() => held.length > 0, "the run is held");
  await atWork(page).click();
  await page.waitForFunction(() => document.querySelector(".stepper .sentence")?.textContent.startsWith("Backward: "));
  assert.equal(await pane(page).getAttribute("aria-busy"), "true");
  const [now, last] = await at(page);
  assert.ok(now === last && last > 4, `${now} of ${last}`);
  assert.ok((await edgesWith(page, "frontier")).length > 1);
  assert.ok((await notes(page)).length > 1);
  await strip(page).getByLabel("Step back").click();
  const there = await said(page);
  assert.deepEqual(await violations(page), []);
  await bar(page, "Cancel").click();
  await cancelled(pane(page));
  assert.deepEqual([await said(page), await at(page)], [there, [now - 1, last]]);
  await strip(page).getByLabel("Last step").click();
  assert.match(await said(page), /^Backward: 3 <= broken is wanted before line 28/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});
