// What a person sees that comes to the page for the first time, and the way from a line of the program to what is known of it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, copiedBy, downloaded, drawn, launch, open, setProgram, tab, upToDate, violations } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const flat = (text) => text.replace(/\s+/g, " ").trim();
const card = (page) => page.locator(".line-card");
const about = async (page) => flat(await card(page).innerText());
/** The signs beside the lines that have some, by line. */
const signs = (page) =>
  page.locator(".cm-signs .cm-gutterElement").evaluateAll((all) => all.map((one) => one.textContent).filter((text) => text !== ""));
const line = (page, text) => page.locator(".cm-line", { hasText: text }).first();
const dead = (page) => page.locator(".cm-line.cm-dead").allTextContents();

test("the first screen has the answer, its reason and a sentence on the page", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  assert.match(await answered(page), /^2 of 8 branches can never run\./);
  const pane = page.locator(".report-pane");
  await pane.locator(".sentence").waitFor();
  assert.match(await page.getByRole("tab", { selected: true }).innerText(), /^Report$/);
  assert.match(await pane.locator(".sentence").innerText(), /^2 of 8 branches can never run\b/);
  assert.deepEqual((await pane.locator(".tile").allInnerTexts()).map(flat), ["✓ 6 can run", "✕ 2 never run", "? 0 open", "2 tests"]);
  assert.ok((await pane.locator(".kind.finding").first().boundingBox()).y < 800);
  // Every executed line has its sign, and what never runs is told apart.
  assert.deepEqual(await signs(page), ["✓", "✓", "✓✕", "✕", "✓✕", "✕", "✓", "✓", "✓", "✓", "✓"]);
  assert.deepEqual(await dead(page), ["        return 28;", "        return 29;"]);
  assert.deepEqual(await violations(page), []);

  // Dismissed once, the sentence is gone for good.
  await page.getByText("Paste a C function").waitFor();
  await pane.getByRole("button", { name: "Dismiss" }).click();
  await page.reload();
  await pane.locator(".sentence").waitFor();
  assert.equal(await page.getByText("Paste a C function").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("what is known of a line stands beside it while the pointer rests on it or on its signs", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await answered(page);
  await page.locator(".report-pane .sentence").waitFor();
  const tip = page.locator(".line-tip");
  await line(page, "return 28;").hover();
  await tip.waitFor();
  assert.match(flat(await tip.innerText()), /^Line 12 ✕ never runs ✕ return 28 no execution takes it.*line 9 !\(year % 4 == 0\)/);
  assert.deepEqual(await violations(page), []);
  await line(page, "return 366;").hover();
  await tip.filter({ hasText: "Line 22" }).waitFor();
  assert.match(flat(await tip.innerText()), /^Line 22 ✓ runs A run gets here with year = -?\d+\.$/);
  // In the margin, too.
  await page.locator(".cm-signs .cm-gutterElement", { hasText: "✓✕" }).first().hover();
  await tip.filter({ hasText: /never holds here/ }).waitFor();
  // It goes with a key, and a pressed line has its card instead.
  await line(page, "return 28;").hover();
  await tip.waitFor();
  await line(page, "return 28;").click();
  await card(page).waitFor();
  assert.equal(await tip.count(), 0);
  await line(page, "return 366;").hover();
  await tip.waitFor();
  await page.keyboard.press("ArrowDown");
  await tip.waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
  await context.close();
});

test("the printed sheet has the answer, every line with its signs, the picture as a whole and no controls", async () => {
  const { page, context, errors } = await open(site, { hash: "#leap_year.graph" });
  await answered(page);
  await drawn(page);
  const boxes = await page.locator(".graph-pane .node.box[data-node]").count();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const sheet = page.locator(".print-sheet");
  assert.match(flat(await sheet.locator("h1").innerText()), /^culdesac: \w+/);
  assert.match(flat(await sheet.locator(".answer").innerText()), /^2 of 8 branches can never run\./);
  const lines = await sheet
    .locator(".lines .line")
    .evaluateAll((all) => all.map((one) => [...one.children].map(({ textContent }) => textContent)));
  assert.ok(lines.length >= 20, String(lines.length));
  assert.deepEqual(
    lines.map(([, signs]) => signs).filter((signs) => signs !== ""),
    ["✓", "✓", "✓✕", "✕", "✓✕", "✕", "✓", "✓", "✓", "✓", "✓"],
  );
  assert.deepEqual(await sheet.locator(".line.dead code").allTextContents(), ["        return 28;", "        return 29;"]);
  // All boxes, within the sheet.
  assert.equal(await sheet.locator("svg .node.box[data-node]").count(), boxes);
  const [paper, picture] = [await sheet.boundingBox(), await sheet.locator("svg").first().boundingBox()];
  assert.ok(picture.width > 100 && picture.x >= paper.x - 1 && picture.x + picture.width <= paper.x + paper.width + 1);
  assert.equal(await page.locator("button:visible, input:visible, select:visible, .cm-editor:visible").count(), 0);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await sheet.count(), 0);

  // Of a large graph the document has what is in view, the sheet all of it.
  const decisions = Array.from({ length: 150 }, (_, i) => `  if (x > ${i}) x = x + ${i};\n`).join("");
  await setProgram(page, `int f(int x) {\n${decisions}  return x;\n}\n`);
  await upToDate(page);
  await page.waitForFunction(() => Number(/(\d+) locations/.exec(document.querySelector(".graph-pane svg.graph").ariaLabel)?.[1]) >= 300);
  assert.ok((await page.locator(".graph-pane .node.box[data-node]").count()) < 150);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.ok((await sheet.locator("svg .node.box[data-node]").count()) > 300);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a click on a line tells why it never runs, or what runs it", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await answered(page);
  await page.locator(".report-pane .sentence").waitFor();
  await line(page, "return 28;").click();
  assert.match(await about(page), /^Line 12 ✕ never runs ✕ return 28 no execution takes it.*line 9 !\(year % 4 == 0\)/);
  await line(page, "year % 100 == 0").click();
  assert.match(await about(page), /^Line 11 ✓ runs ✕ never runs/);
  assert.match(await about(page), /✕ year % 100 == 0 never holds here .*What excludes it: line 9 !\(year % 4 == 0\)/);
  assert.match(await about(page), /✓ !\(year % 100 == 0\) with year = \d+/);
  await line(page, "return 366;").click();
  assert.match(await about(page), /^Line 22 ✓ runs A run gets here with year = -?\d+\.$/);
  assert.deepEqual(await violations(page), []);

  // From the card to the row of the Report, from any tab; Escape closes it.
  await tab(page, "Graph");
  await line(page, "year % 400 == 0").click();
  await card(page).getByRole("button", { name: "in the Report" }).first().click();
  assert.match(await page.getByRole("tab", { selected: true }).innerText(), /^Report$/);
  await page.locator(".report-pane .kind.branches li.chosen", { hasText: "year % 400 == 0" }).waitFor();
  await card(page).focus();
  await page.keyboard.press("Escape");
  await card(page).waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
  await context.close();
});

test("statements without an edge of their own have signs, too", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await setProgram(
    page,
    '#include <stdio.h>\nint f(int x) {\n  for (int i = 0; i < 3; i++) {\n    if (x == 5 && i == 4)\n      break;\n    printf("%d\\n", i);\n  }\n  if (x > 7) {\n    puts("large");\n    return 1;\n  }\n  return 0;\n}\n',
  );
  await upToDate(page);
  assert.match(await answered(page), /^1 of 8 branches can never run/);
  assert.deepEqual(await signs(page), ["✓", "✓✕", "✕", "✓", "✓", "✓", "✓", "✓"]);
  assert.deepEqual(await dead(page), ["      break;"]);
  await line(page, 'puts("large")').click();
  assert.match(await about(page), /^Line 9 ✓ runs A run gets here with x = \d+\.$/);
  // An edit: nothing is said of the text before.
  await page.keyboard.type(" ");
  assert.equal(await card(page).count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("examples are found by name, paper and author, with the keyboard", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await answered(page);
  await page.getByRole("button", { name: "Examples" }).click();
  const menu = page.locator("ul.menu-list");
  assert.match(flat(await menu.locator(".paper").first().innerText()), /^Begin here Leap years/);
  assert.equal(await menu.locator(".paper").count(), 6);
  assert.deepEqual(await violations(page), []);
  const find = page.getByRole("searchbox", { name: "Find an example" });
  for (const [words, title] of [
    ["f2", "A product that forgets its argument"],
    ["merging sorted", "Merging two sorted arrays"],
    ["strejcek ones", "Counting ones"],
  ]) {
    await find.fill(words);
    assert.match(flat(await menu.locator(".paper button").first().innerText()), new RegExp(`^${title}`));
  }
  await find.fill("nothing like it");
  await menu.getByText(/No example has/).waitFor();
  await find.fill("f2");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page
    .locator(".cm-line", { hasText: "int f2" })
    .or(page.locator(".cm-line", { hasText: "f2(" }))
    .first()
    .waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a clicker steps through what is shown, wherever the focus is", async () => {
  const { page, context, errors } = await open(site, { isNew: true, viewport: { width: 1280, height: 720 } });
  await answered(page);
  await page.locator(".report-pane .sentence").waitFor();
  const more = page.getByRole("button", { name: "More" });
  if (await more.isVisible()) await more.click();
  await page.getByRole("button", { name: "Present" }).click();
  await page.keyboard.press("Escape");
  const row = async () => flat(await page.locator(".report-pane li.chosen button.row").innerText());
  await page.keyboard.press("PageDown");
  const first = await row();
  assert.match(first, /^11 /);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("PageDown");
  assert.notEqual(await row(), first);
  await page.keyboard.press("PageUp");
  assert.equal(await row(), first);

  // In Prune the steps of the red-black graph, always forward.
  await tab(page, "Prune");
  await page.locator(".stepper").waitFor();
  const step = async () => Number((await page.locator(".stepper .count").innerText()).split("/")[0]);
  await page.getByRole("button", { name: "First step" }).click();
  assert.equal(await step(), 0);
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageDown");
  assert.equal(await step(), 2);
  await page.keyboard.press("PageUp");
  assert.equal(await step(), 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test("verdicts are hidden until they are guessed; the link is an exercise", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await answered(page);
  const pane = page.locator(".report-pane");
  await pane.getByRole("button", { name: "Predict" }).click();
  await pane.locator(".questions > li").nth(7).waitFor();
  const hidden = async (page) => {
    assert.deepEqual(await signs(page), []);
    assert.doesNotMatch(await page.locator(".answer").innerText(), /can never run/);
    assert.equal(await page.locator(".report-pane .verdict").count(), 0);
    await tab(page, "Cover");
    assert.match(await page.locator("#panel-cover").innerText(), /^Hidden until/);
    await tab(page, "Report");
  };
  await hidden(page);
  assert.deepEqual(await violations(page), []);
  const link = await copiedBy(page, () => page.getByRole("button", { name: "Copy link", exact: true }).click());

  const guess = (page, at, name) => page.locator(".questions > li").nth(at).getByRole("button", { name }).click();
  await guess(page, 0, "can run");
  await guess(page, 2, "can run");
  assert.match(await pane.locator(".sentence").innerText(), /^1 of 2 guesses right, 6 to go\.$/);
  assert.match(flat(await pane.locator(".questions > li").nth(2).innerText()), /not so .*What excludes it: line 9 !\(year % 4 == 0\)/);
  assert.deepEqual(await violations(page), []);
  for (const [at, name] of [1, 3, 4, 5, 6, 7].map((at) => [at, at === 4 ? "never runs" : "can run"])) await guess(page, at, name);
  assert.match(await pane.locator(".sentence").innerText(), /^7 of 8 guesses right, 0 to go\.$/);
  // All is guessed: nothing is hidden any more.
  assert.match(await answered(page), /^2 of 8 branches can never run/);
  assert.equal((await signs(page)).length, 11);

  const second = await open(site, { hash: new URL(link).hash });
  await second.page.locator(".questions > li").nth(7).waitFor();
  await hidden(second.page);
  await second.page.getByRole("button", { name: "Show all answers" }).click();
  await second.page.locator(".report-pane .tiles").waitFor();
  assert.deepEqual(second.errors, []);
  await second.context.close();
  assert.deepEqual(errors, []);
  await context.close();
});

test("tables and pictures are taken away from each tab", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await answered(page);
  const file = async (act) => {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return { name: download.suggestedFilename(), text: String(await downloaded(download)) };
  };
  const pane = (tab) => page.locator(`.${tab}-pane`);
  await pane("report").locator(".sentence").waitFor();
  const csv = await file(() => pane("report").locator(".save-table").first().getByRole("button", { name: "CSV" }).click());
  assert.equal(csv.name, "days_in_year-report.csv");
  assert.match(csv.text, /^line,column,branch,verdict,engine,test,input,reason,assumes\r\n9,9,year % 4 == 0,covered,cover,1,year = /);
  assert.match(csv.text, /\r\n11,9,year % 100 == 0,infeasible,cover,,,line 9: !\(year % 4 == 0\),\r\n/);
  const markdown = await file(() => pane("report").getByRole("button", { name: "Markdown" }).first().click());
  assert.match(markdown.text, /^\| line \| column \| branch /);
  for (const [title, name] of [
    ["Cover", "cover"],
    ["Branches", "branches"],
    ["Paths", "paths"],
  ]) {
    await tab(page, title);
    const saved = await file(() => pane(name).locator(".save-table").first().getByRole("button", { name: "CSV" }).click());
    assert.match(saved.text, /^(line|length),/, title);
  }
  for (const [title, name] of [
    ["Cover", "cover"],
    ["Branches", "branches"],
    ["Run", "run"],
  ]) {
    await tab(page, title);
    await page.waitForFunction((name) => document.querySelectorAll(`.${name}-pane [data-edge]`).length > 5, name);
    for (const [format, begins] of [
      ["SVG", /^<svg/],
      ["DOT", /^digraph/],
      ["PNG", /PNG/],
    ]) {
      await pane(name).getByRole("button", { name: "Save", exact: true }).click();
      const saved = await file(() => pane(name).getByRole("dialog").getByRole("button", { name: format }).click());
      assert.match(saved.text.slice(0, 60), begins, `${title} ${format}`);
    }
  }
  assert.deepEqual(errors, []);
  await context.close();
});
