// Tours: each of the page is played to its end, and what each step names is on the screen; a teacher's file is played, and a damaged one is
// told what is wrong with it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { bar, copiedBy, launch, open, setProgram, styled, tab, until, upToDate, violations } from "./harness.mjs";

const TOURS = ["prune", "explain", "reach", "cover", "branches"];
const read = async (name) => JSON.parse(await readFile(new URL(`../../web/tours/${name}.json`, import.meta.url), "utf8"));

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** Waits until a step is shown as it says. */
const atStep = (page, number) => page.locator(`.tour[data-step="${number}"][data-shown="true"]`).waitFor();
const next = (page) => page.locator(".tour").getByRole("button", { name: "Next" }).click();

/** What a step names, as far as it is on the screen. */
async function seen(page, step, source) {
  const { tab: name, show = {} } = step;
  await page.locator(`#tab-${name}[aria-selected="true"]`).waitFor();
  assert.equal(await page.locator(".tour h2").innerText(), step.title);
  const panel = page.locator(`#panel-${name}`);
  await panel.waitFor();
  // The program is that of the step: lines of it are in the editor.
  const line = source.split("\n").find((one) => /^(int|void|proc) \w/.test(one));
  await page
    .locator(".cm-line", { hasText: line.slice(0, 30) })
    .first()
    .waitFor();
  if (show.line !== undefined && !show.path)
    await page.locator(".cm-line.cm-at", { hasText: source.split("\n")[show.line - 1].trim() }).waitFor();
  if (show.path) {
    const slider = page.locator('.path-bar input[type="range"]');
    await until(async () => (await slider.inputValue()) === String(show.path.step));
  } else if (show.step !== undefined && show.view !== "pruned") {
    const slider = page.locator('.strip input[type="range"]');
    await until(async () => (await slider.inputValue()) === String(show.step));
  }
  if (show.view !== undefined) await panel.locator('.views [aria-pressed="true"], .group [aria-pressed="true"]').first().waitFor();
  if (show.explained) await page.locator(".path-bar", { hasText: show.explained.title }).waitFor();
  if (show.chosen) await panel.locator("li.chosen").first().waitFor();
  if (show.place) await panel.locator(".graph .selected, .graph .node.selected, .details").first().waitFor();
  for (const [key, value] of Object.entries(step.settings?.reach ?? {}))
    if (key === "target") assert.equal(await panel.getByLabel("Target").first().inputValue(), value);
  assert.deepEqual(await page.locator(".notice.error").allInnerTexts(), []);
}

for (const name of TOURS)
  test(`the tour of ${name} is played to its end, and each step shows what it names`, async () => {
    const { steps } = await read(name);
    const { page, context, errors, outside } = await open(site, { hash: `#tour.${name}` });
    let source = "";
    for (const [at, step] of steps.entries()) {
      await atStep(page, at + 1);
      source = step.source ?? (step.example ? await exampleSource(step.example) : source);
      await seen(page, step, source);
      if (step.question?.choices) {
        await page
          .locator(".tour .question")
          .getByRole("button")
          .nth(step.question.right - 1)
          .click();
        await page.locator('.tour .answered[data-right="true"]').waitFor();
      }
      if (at + 1 < steps.length) await next(page);
    }
    assert.match(page.url(), new RegExp(`#tour\\.${name}\\.${steps.length}$`));
    assert.deepEqual(await violations(page), []);
    // Back is the step before, and End leaves the tour with what it shows.
    await page.goBack();
    await atStep(page, steps.length - 1);
    await page.locator(".tour").getByRole("button", { name: "End the tour" }).click();
    await page.locator(".tour").waitFor({ state: "detached" });
    assert.deepEqual([errors, outside], [[], []]);
    await context.close();
  });

const exampleSource = (name) =>
  Promise.any(["c", "blocks"].map((ending) => readFile(new URL(`../../examples/${name}.${ending}`, import.meta.url), "utf8")));

test("a tour begins in the menu, a clicker goes through it in Present, and a program of one's own comes back", async () => {
  const { page, context, errors } = await open(site);
  const mine = "int mine(int x) {\n  if (x > 3)\n    return 1;\n  return 0;\n}\n";
  await setProgram(page, mine);
  await upToDate(page);
  await bar(page, "Present").click();
  await bar(page, /^Examples/).click();
  await page.getByLabel("Find an example").fill("tour strejcek");
  await page.getByRole("button", { name: /Tour of Reach/ }).click();
  await atStep(page, 1);
  await page.keyboard.press("PageDown");
  await atStep(page, 2);
  await page.keyboard.press("PageDown");
  await atStep(page, 3);
  // The arrow keys step what is shown.
  await page.locator("body").focus();
  await page.locator(".path-bar").getByRole("button", { name: "Step on" }).click();
  await page.keyboard.press("PageUp");
  await atStep(page, 2);
  assert.deepEqual(await violations(page), []);
  await page.locator(".tour").getByRole("button", { name: "End the tour" }).click();
  await page.locator(".notice").getByRole("button", { name: "Back to my own program" }).click();
  await page.locator(".cm-line", { hasText: "int mine" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a link leads to a step, also in a page that is open; a wrong one says what there is", async () => {
  const { page, context, errors } = await open(site, { hash: "#tour.prune.4" });
  await atStep(page, 4);
  await page.evaluate(() => (location.hash = "#tour.branches.3"));
  await page.locator(".tour[data-steps='9'][data-step='3'][data-shown='true']").waitFor();
  await page.locator("#tab-branches[aria-selected='true']").waitFor();
  await page.evaluate(() => (location.hash = "#tour.prun"));
  await page.getByRole("alert").filter({ hasText: "prune, explain, reach, cover, branches" }).waitFor();
  await page.reload();
  await styled(page);
  assert.deepEqual(errors, []);
  await context.close();
});

/** Drops a file on the program. */
async function drop(page, name, text) {
  await page.locator("section.program").evaluate(
    (element, [name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type: "application/json" }));
      element.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}

test("a teacher's file is played, its steps have links, and a step can be copied", async () => {
  const { page, context, errors } = await open(site);
  const lesson = /```json\n([\s\S]*?)```/.exec(await readFile(new URL("../../web/docs/tours.md", import.meta.url), "utf8"))[1];
  await drop(page, "lesson.json", lesson);
  await atStep(page, 1);
  await page.locator(".tour .question").getByRole("button", { name: "4" }).click();
  await page.locator('.tour .answered[data-right="false"]').waitFor();
  await next(page);
  await atStep(page, 2);
  await next(page);
  await atStep(page, 3);
  const href = await page.locator(".tour-steps a").getAttribute("href");
  assert.match(href, /^#tour1\.[\w-]+\.3$/);
  const other = await open(site, { hash: href, isNew: true });
  await atStep(other.page, 3);
  await bar(other.page, "More").click();
  const copied = JSON.parse(await copiedBy(other.page, () => other.page.getByRole("button", { name: /tour's step/ }).click()));
  assert.equal(copied.example, "merge");
  assert.equal(copied.tab, "prune");
  assert.deepEqual(copied.settings.prune, { abstraction: "drop", lookahead: "0" });
  assert.deepEqual([copied.show.view, copied.show.step], ["red", 14]);
  await other.context.close();
  // What was copied is a step.
  await drop(
    page,
    "again.json",
    JSON.stringify({ format: "culdesac tour 1", title: "Again", steps: [{ ...copied, title: "T", text: "X" }] }),
  );
  await page.locator('.tour[data-steps="1"][data-shown="true"]').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a damaged tour is told which step and which key is wrong, and the page stays as it is", async () => {
  const { page, context, errors } = await open(site);
  const good = await read("prune");
  const damaged = [
    [{ ...good, steps: [good.steps[0], { ...good.steps[1], tab: "prunee" }] }, /step 2: tab is "prunee"; allowed: .*prune/],
    [{ ...good, steps: [{ ...good.steps[0], show: { vew: "red" } }] }, /step 1: show\.vew/],
    [{ ...good, format: 2 }, /format is 2; allowed: "culdesac tour 1"/],
    ["{", /JSON/],
    ["\u0000\u0001", /JSON/],
  ];
  for (const [tour, expected] of damaged) {
    await drop(page, "bad.json", typeof tour === "string" ? tour : JSON.stringify(tour));
    const alert = page.getByRole("alert").filter({ hasText: "bad.json cannot be played" });
    await alert.waitFor();
    await until(async () => expected.test(await alert.innerText()));
  }
  assert.equal(await page.locator(".tour").count(), 0);
  await tab(page, "Prune");
  assert.deepEqual(errors, []);
  await context.close();
});
