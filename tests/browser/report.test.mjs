// The Report tab: what fails, what always holds, the verdict on each branch and the tests, of a program with all of them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { unzipSync } from "fflate";
import { closeSettings, copiedBy, downloaded, launch, open, openSettings, run, setProgram, tab, upToDate, violations } from "./harness.mjs";

/** The program of web/docs/report.md: a branch that no execution takes, a division by zero, and an index outside of its array. */
const PRICE = `int price(int age, int member) {
    int price = 10, tickets[3] = {1, 2, 3};
    if (age < 6 || member)
        price = 0;
    if (price > 0 && age < 3)
        return -1;
    return price / age + tickets[member];
}
`;
const ASSERTED = "#include <assert.h>\nint f(int x) {\n  if (x > 3 && x < 2)\n    return 1;\n  assert(x != 7);\n  return 0;\n}\n";
/** Cover without unwindings does not get past the loop. */
const LOOP = "int f(int x) {\n  int i = 0;\n  while (i < 40)\n    i++;\n  if (x == 3)\n    return 1;\n  return i;\n}\n";
/** A state that no assignment gives, and a static that no call leaves with such a value. */
const MODES = `static int level;
int f(int n, int up) {
  int mode = 1;
  while (n-- > 0) {
    if (mode == 1) mode = 2;
    else if (mode == 3) {
      if (n == 7) return 1;
    } else mode = 1;
  }
  if (level > 5) return -1;
  if (up && level < 3) level++;
  return mode;
}
`;

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const pane = (page) => page.locator(".report-pane");
const flat = (text) => text.replace(/\s+/g, " ").trim();
const done = (page) => page.locator(".report-pane .sentence").waitFor();
const rows = (page, kind) =>
  pane(page)
    .locator(`.kind.${kind} ol > li > button`)
    .evaluateAll((all) => all.map((row) => [...row.children].map((part) => part.textContent.replace(/\s+/g, " ").trim()).join(" | ")));
const row = (page, kind, text) => pane(page).locator(`.kind.${kind} button.row`, { hasText: text }).first();
const about = async (page) => flat(await pane(page).locator("li.chosen .about").innerText());
const margin = (page) => page.locator(".cm-signs .cm-gutterElement > span").evaluateAll((all) => all.map((one) => one.textContent));
const lines = (page, name) => page.locator(`.cm-line.${name}`).allTextContents();

/** A tree that calls build: each branch is decided by the one run, and no more than a few copies of its functions are looked at. */
const TREE = `#include <stdlib.h>
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *root, int key) {
  if (root == NULL) {
    struct node *made = malloc(sizeof *made);
    if (made == NULL) exit(1);
    made->key = key;
    made->left = made->right = NULL;
    return made;
  }
  if (key < root->key) root->left = insert(root->left, key);
  else root->right = insert(root->right, key);
  return root;
}
static int size(struct node *root) { return root ? 1 + size(root->left) + size(root->right) : 0; }
int main(void) {
  int keys[] = {5, 3, 8, 1};
  struct node *root = NULL;
  for (int i = 0; i < 4; i++) root = insert(root, keys[i]);
  if (size(root) != 4) return 1;
  return 0;
}
`;

test("a program in place of another is reported on by itself, and the first line, the margin and the report agree", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await done(page);
  await setProgram(page, TREE);
  await page.locator("[data-answer-done=true]").waitFor();
  await pane(page)
    .locator(".sentence", { hasText: /^1 of 12 branches can never run/ })
    .waitFor();
  assert.match(flat(await page.locator("[data-answer]").innerText()), /^1 of 12 branches can never run\./);
  assert.equal(await pane(page).getByText("earlier text").count(), 0);
  assert.deepEqual(
    (await rows(page, "never_runs")).map((text) => text.replace(/ \|.*/, "")),
    ["20"],
  );
  await page.waitForFunction(() => !document.querySelector(".cm-signs")?.textContent.includes("?"));
  assert.deepEqual(errors, []);
  await context.close();
});

test("a division that fails and a branch that never runs: sentence, groups, branches and tests", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, PRICE);
  await upToDate(page);
  await tab(page, "Report");
  await done(page);
  assert.match(await pane(page).locator(".sentence").innerText(), /^1 of 8 branches can never run\b.* 2 places can fail/);
  assert.deepEqual(
    (await pane(page).locator(".kind h2").allInnerTexts()).map((title) => title.replace(/ .*/, "")),
    ["Errors:", "Always", "Never", "8", "Undefined", "3"],
  );
  assert.equal((await rows(page, "error")).length, 2);
  assert.match((await rows(page, "error"))[1], /^7 \| ! Errors \| return price \/ age .*division by zero/);
  const branches = await rows(page, "branches");
  assert.equal(branches.length, 8);
  assert.equal(branches[6], "5 | ✕ infeasible | age < 3 excluded by lines 3–5 | infeasible · Cover");
  assert.match(branches[0], /^3 \| ✓ covered \| age < 6 \| test \d · Cover$/);
  assert.equal((await rows(page, "tests")).length, 3);
  assert.deepEqual(await margin(page), ["✓", "✓", "✓", "✓✕", "✕", "✓!"]);
  assert.deepEqual(await violations(page), []);

  // A finding leads to its line, with the input that provokes it; a reason to its own.
  await row(page, "error", "division by zero").click();
  assert.match(await about(page), /^age = 0, .* line 7, column 12$/);
  assert.deepEqual(await lines(page, "cm-at"), ["    return price / age + tickets[member];"]);
  await row(page, "always", "!(age < 3)").click();
  assert.match(await about(page), /What excludes the other branch: either line 3 !\(age < 6\) or line 5 price > 0 and line 4 price = 0/);
  assert.deepEqual(await lines(page, "cm-reason"), PRICE.split("\n").slice(2, 5));
  await pane(page).locator("li.chosen .because").getByRole("button", { name: "line 4" }).first().click();
  assert.deepEqual(await lines(page, "cm-at"), ["        price = 0;"]);
  assert.deepEqual(await violations(page), []);

  // From the margin to the branch.
  await page.locator(".cm-signs .sign.infeasible").first().click();
  await pane(page).locator(".kind.branches li.chosen").waitFor();
  assert.match(await about(page), /^No execution takes it: proved by Cover\. What excludes it: .* line 5, column 22$/);

  // The evidence of all engines holds.
  await pane(page).getByRole("button", { name: "Check the evidence" }).click();
  await page.locator('.check-pane .run-state[data-state="done"]').waitFor({ state: "attached" });
  assert.match(await page.locator(".check-pane .summary").first().innerText(), /All \d+ claims hold/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("values, what encloses a branch, and what always holds are reasons", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, MODES);
  await upToDate(page);
  await tab(page, "Report");
  await done(page);
  const reason = async (text) => {
    await row(page, "branches", text).click();
    return flat(await pane(page).locator("li.chosen .because").innerText());
  };
  assert.equal(await reason("mode == 3"), "here mode is 1 by line 3 mode = 1 or line 8 mode = 1 or 2 by line 5 mode = 2");
  assert.equal(await reason("n == 7"), "line 6 mode == 3, which no execution takes");
  assert.equal(await reason("level > 5"), "what always holds here: level <= 3");
  const told = (await rows(page, "branches")).filter((one) => one.includes("✕"));
  assert.match(told[0], /mode == 3 excluded by lines 3, 5, 8 /);
  assert.match(told[3], /level > 5 here always level <= 3 /);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("on a phone, by keys, and whether an assertion fails", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 390, height: 844 } });
  await tab(page, "Program");
  await setProgram(page, ASSERTED);
  await upToDate(page);
  await tab(page, "Report");
  await done(page);
  assert.match(flat(await pane(page).locator(".tiles").innerText()), /✕ 1 never run/);
  assert.match(flat(await pane(page).locator(".summary").innerText()), /! error call or assertion reached/);
  await row(page, "branches", "x > 3").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await about(page), /^Test \d, from Cover, takes it\./);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("statements that Cover leaves unanswered say what Branches has of them", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, LOOP);
  await upToDate(page);
  await tab(page, "Branches");
  await page.locator(".branches-pane .kind.branches li").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".branches-pane")?.getAttribute("aria-busy") === "false");
  await tab(page, "Cover");
  await openSettings(page);
  await page.getByLabel("Unwindings").fill("0");
  await closeSettings(page);
  await run(page);
  await page.locator(".cover-pane .kind.within button.row").first().click();
  const about = page.locator(".cover-pane li.chosen .about");
  assert.match(flat(await about.innerText()), /Branches has a test for it/);
  await about.getByRole("button", { name: "Branches" }).click();
  assert.equal(await page.getByRole("tab", { name: "Branches" }).getAttribute("aria-selected"), "true");
  assert.deepEqual(errors, []);
  await context.close();
});

test("the tests compile and run, and the report is saved in each form", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, ASSERTED);
  await upToDate(page);
  await tab(page, "Report");
  await done(page);
  const saved = async (group, name) => {
    const button = pane(page).getByRole("group", { name: group }).getByRole("button", { name, exact: true });
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return { name: download.suggestedFilename(), bytes: await downloaded(download) };
  };
  const folder = await mkdtemp(join(tmpdir(), "culdesac-report-"));
  try {
    for (const [name, bytes] of Object.entries(unzipSync((await saved("Save tests, C", "Plain C")).bytes)))
      await writeFile(join(folder, name), bytes);
    execFileSync("gcc", ["-o", "suite", "suite.c"], { cwd: folder });
    execFileSync("./suite", { cwd: folder, stdio: "ignore" });
  } finally {
    await rm(folder, { recursive: true });
  }
  const form = async (name) => {
    const { name: file, bytes } = await saved("Save the report", name);
    assert.match(file, /^f-report\./);
    return String(bytes);
  };
  const log = JSON.parse(await form("SARIF"));
  assert.equal(log.version, "2.1.0");
  assert.ok(log.runs[0].results.some(({ ruleId }) => ruleId === "run-fails"));
  const html = await form("HTML");
  assert.ok(html.startsWith("<!DOCTYPE html>") && html.includes("x &lt; 2") && !html.includes("<script"), html.slice(0, 300));
  assert.match(await form("Markdown"), /^# `f` in `/);
  assert.match(await form("CSV"), /^program,function,line,column,branch,side,verdict/);
  assert.match(await form("LCOV"), /^TN:/);
  assert.equal(JSON.parse(await form("JSON")).list.length, 6);
  assert.match(await form("Witness"), /violation_sequence/);
  // A program without an error call has none.
  await setProgram(page, PRICE);
  await upToDate(page);
  await run(page);
  await row(page, "error", "division by zero").waitFor();
  await pane(page).getByRole("group", { name: "Save the report" }).getByRole("button", { name: "Witness" }).click();
  await pane(page)
    .locator(".saved .mark.bad", { hasText: /nothing to witness/ })
    .waitFor();

  // The claims of its evidence have columns that sort them, and the reviewer's page is one press away.
  await pane(page).getByRole("button", { name: "Check the evidence" }).click();
  const proofs = page.locator(".check-pane");
  await proofs.locator(".summary").waitFor();
  const columns = () =>
    proofs
      .locator("ol.claims > li > button")
      .evaluateAll((all) =>
        all.map((row) => [".index", ".branch", ".evidence", ".verdict"].map((part) => row.querySelector(part).textContent.trim())),
      );
  await proofs.getByRole("group", { name: "Sort by" }).getByRole("button", { name: "Line" }).click();
  const lines = (await columns()).map(([line]) => Number(line));
  assert.deepEqual(
    lines,
    lines.toSorted((a, b) => a - b),
  );
  await proofs.getByRole("group", { name: "Sort by" }).getByRole("button", { name: /^Line/ }).click();
  assert.deepEqual(
    (await columns()).map(([line]) => Number(line)),
    lines.toReversed(),
  );
  const dead = (await columns()).find(([, branch]) => branch.includes("age < 3"));
  assert.ok(dead && dead[0] === "5" && /excluded by lines/.test(dead[2]), JSON.stringify(await columns()));
  assert.deepEqual(await violations(page), []);
  const [download] = await Promise.all([page.waitForEvent("download"), proofs.getByRole("button", { name: "Reviewer’s page" }).click()]);
  assert.match(String(await downloaded(download)), /age &lt; 3/);
  assert.deepEqual(errors, []);
  await context.close();
});

/** The program of web/docs/report.md whose conditions are coupled. */
const VALVE = `int valve(int level, int manual, int remote) {
    if ((level > 3 && manual) || (level <= 3 && remote))
        return 1;
    return 0;
}
`;

test("a criterion that is chosen has its goals, pairs and evaluations, as tables to take away, and its evidence holds", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, VALVE);
  await upToDate(page);
  await tab(page, "Report");
  await done(page);
  const section = pane(page).locator(".kind.criterion");
  const settled = () => section.locator('.run-state[data-state="done"]').waitFor({ state: "attached" });
  assert.equal(await section.count(), 0);
  await openSettings(page);
  await page.getByLabel("Criterion", { exact: true }).selectOption("mcdc");
  await page.getByLabel("Pairs", { exact: true }).selectOption("unique-cause");
  await closeSettings(page);
  await section.locator(".sentence", { hasText: "unique-cause" }).waitFor();
  assert.match(
    await section.locator(".sentence").innerText(),
    /^3 of 4 conditions have an independence pair, 1 can have none \(unique-cause MC\/DC\)/,
  );
  const goals = await rows(page, "criterion");
  assert.equal(goals.length, 4);
  assert.match(goals[0], /^2 \| ✓ covered \| level > 3 .*\| tests \d and \d$/);
  assert.match(goals[2], /^2 \| ✕ infeasible \| level <= 3 every independence pair needs TFTT or F-F-, which no execution evaluates \|/);
  assert.equal(await section.locator("table.vectors tbody tr").count(), 7);
  await row(page, "criterion", "level <= 3").click();
  assert.match(await about(page), /which needs .*TFTT/);
  assert.deepEqual(await violations(page), []);
  const saved = async (name) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      section.getByRole("button", { name, exact: true }).first().click(),
    ]);
    return String(await downloaded(download));
  };
  const csv = (await saved("CSV")).split("\r\n");
  assert.match(csv[0], /^program,function,criterion,line,column,goal,verdict,tests,inputs,reason,assumes$/);
  assert.match(csv[3], /,valve,mcdc unique-cause,2,35,level <= 3,infeasible,,,/);
  assert.match(await saved("Markdown"), /\| mcdc unique-cause \| 2 \| 10 \| level > 3 \| covered \|/);
  await section.getByRole("button", { name: "Check the evidence" }).click();
  await page.locator('.check-pane .run-state[data-state="done"]').waitFor({ state: "attached" });
  assert.match(await page.locator(".check-pane .summary").first().innerText(), /All \d+ claims hold/);
  await page.getByText("The claims are about the unfolded graph of").waitFor();

  // The choice is in the link.
  await tab(page, "Report");
  const { hash } = new URL(await copiedBy(page, () => page.getByRole("button", { name: "Copy link" }).click()));
  const second = await open(site, { hash });
  await second.page.locator(".report-pane .kind.criterion .sentence", { hasText: "unique-cause" }).waitFor();
  await second.context.close();
  for (const [name, sentence] of [
    ["statement", /^All 3 statements can run\./],
    ["branch", /^Both outcomes of decisions can occur\./],
    ["condition", /^All 8 outcomes of conditions can occur\./],
    ["path", /prime paths? can run/],
  ]) {
    await openSettings(page);
    await page.getByLabel("Criterion", { exact: true }).selectOption(name);
    await closeSettings(page);
    await settled();
    await section.locator(".sentence", { hasText: sentence }).waitFor();
  }
  assert.deepEqual([...errors, ...second.errors], []);
  await context.close();
});
