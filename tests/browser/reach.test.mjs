// The Reach tab: a line that nothing reaches, a run that is replayed, targets by name, by click and by choice, bad ones, links.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bar, cancelled, copiedBy, holding, launch, open, setProgram, tab, until, upToDate, violations } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const pane = (page) => page.locator(".reach-pane");
const target = (page) => pane(page).getByRole("textbox", { name: "Target" });
const flat = (text) => text.replace(/\s+/g, " ").trim();
const verdict = async (page) => flat(await pane(page).locator(".reach-verdict > .badge").innerText());
const text = async (page, name) => flat(await pane(page).locator(`section[aria-labelledby="reach-${name}"]`).innerText());
const said = (page, words) =>
  page.waitForFunction(
    (words) => document.querySelector('.reach-pane[aria-busy="false"] .reach-verdict > .badge')?.textContent.includes(words),
    words,
  );
const steps = async (page) => flat(await page.locator(".path-bar .where").innerText());

/** Opens an example by its title; the tab asks for the line that the example names. */
async function example(page, title) {
  await page.getByRole("button", { name: "Examples" }).click();
  await page
    .locator(".menu-list button")
    .filter({ has: page.locator("b", { hasText: new RegExp(`^${title}\\s*$`) }) })
    .click();
  await upToDate(page);
  await tab(page, "Reach");
}

async function ask(page, name) {
  await target(page).fill(name);
  await pane(page).getByRole("button", { name: "Reach", exact: true }).click();
}

async function program(page, source) {
  await setProgram(page, source);
  await upToDate(page);
}

test("one_loop: nothing gets to the line, by an invariant that the check accepts", async () => {
  const { page, context, errors, outside } = await open(site);
  await upToDate(page);
  await example(page, "Counting in fours");
  await said(page, "unreachable");
  assert.match(await verdict(page), /^✕ Line 12 is unreachable return 1;$/);
  assert.match(await text(page, "condition"), /No input satisfies it\. false$/);
  assert.match(
    await text(page, "loops"),
    /^1 loop summary .*Loop of line 9 1 kind of rounds κ₁ counts rounds along lines 9 10 .* i i \+ 4 · κ₁ Looping condition: .*∀ τ₁ \(0 ≤ τ₁ < κ₁ → i \+ 4 · τ₁ < n\)/,
  );
  assert.match(await text(page, "backbones"), /^1 backbone .*lines 8 9 11 12 cannot hold$/);
  assert.equal(await page.locator(".cm-signs .sign.infeasible").textContent(), "✕");
  assert.deepEqual(await violations(page), []);
  await pane(page).getByRole("button", { name: "Check the evidence" }).click();
  await page.locator(".check-pane .summary", { hasText: "The only claim holds" }).waitFor();
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  await context.close();
});

test("hello: an input gets to the line, and its run is replayed in program and graph", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await example(page, "A text with Hello");
  await said(page, "reached");
  assert.match(await verdict(page), /^✓ Line 25 is reached return 1;$/);
  assert.match(await pane(page).locator(".reach-verdict .input").innerText(), /text = \{72, 101, 108, 108, 111.*that is\s+text = "Hello/s);
  const end = /^Run to line 25, step (\d+) of (\d+) · line 25 /.exec(await steps(page));
  assert.ok(end && end[1] === end[2] && Number(end[1]) > 20, await steps(page));
  await pane(page).getByRole("button", { name: "Replay the run" }).click();
  // It begins anew and moves on by itself.
  await page.waitForFunction(() => /step 1 of/.test(document.querySelector(".path-bar .where")?.textContent));
  await page.waitForFunction(() => /step [23] of/.test(document.querySelector(".path-bar .where")?.textContent));
  assert.equal(await page.locator(".cm-line.cm-at").count(), 1);
  assert.ok((await page.locator(".of-reach [data-edge].on-path").count()) > 10);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  // A backbone and a round are ways, too.
  const first = pane(page).locator("ol.drawn > li > button").first();
  await first.click();
  assert.match(await steps(page), /^Backbone 1, step 1 of /);
  assert.ok((await pane(page).locator("ol.drawn .about .formula").count()) === 1);
  await first.click();
  assert.equal(await page.locator(".path-bar").count(), 0);
  await pane(page).locator(".rounds button").first().click();
  assert.match(await steps(page), /^Round κ[₀-₉]+, step 1 of /);
  // Long formulas are cut until asked for.
  const condition = pane(page).locator('section[aria-labelledby="reach-condition"] .formula');
  const before = await condition.locator("code > span").count();
  await condition.getByRole("button").click();
  assert.ok((await condition.locator("code > span").count()) > before);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

const SEVERAL = `int f(int n) {
  int s = 0; int t = 1; s = t + n;
  if (s > 3) goto high;
  return s;
high:
  return 7;
}
`;

test("a target is a line that is clicked, a label, or one of several statements; what is none is said", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await program(page, SEVERAL);
  await tab(page, "Reach");
  // No error call: nothing is asked, and nothing went wrong.
  await pane(page).getByText("Click a line of the program").waitFor();
  assert.equal(await pane(page).getByRole("alert").count(), 0);
  await page.locator(".cm-line").nth(5).click();
  assert.equal(await target(page).inputValue(), "6");
  await pane(page).getByRole("button", { name: "Reach", exact: true }).click();
  await said(page, "Line 6 is reached");
  await ask(page, "high");
  await said(page, "Line 6 is reached");
  await ask(page, "2");
  await said(page, "Line 2 is reached");
  assert.match(await verdict(page), /s = t \+ n$/);
  await pane(page).locator(".others button").first().click();
  await page.waitForFunction(() => document.querySelector(".reach-verdict > .badge")?.textContent.endsWith("s = 0"));
  assert.match(await target(page).inputValue(), /^2:\d+$/);
  for (const [name, why] of [
    ["99", /there is no line 99: the program has \d lines/],
    ["nowhere", /`nowhere` is neither a line nor a label/],
    ["7", /line 7/],
  ]) {
    await ask(page, name);
    await pane(page).getByRole("alert").waitFor();
    await page.waitForFunction(
      (why) => new RegExp(why).test(document.querySelector('.reach-pane [role="alert"]')?.textContent),
      why.source,
    );
    assert.equal(await pane(page).locator(".reach-verdict").count(), 0);
  }
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a link has the target and K", async () => {
  const { page, context } = await open(site);
  await upToDate(page);
  await program(page, SEVERAL);
  await tab(page, "Reach");
  await target(page).fill("high");
  await pane(page).getByRole("slider").first().fill("3");
  await said(page, "Line 6 is reached");
  const link = await copiedBy(page, () => page.getByRole("button", { name: "Copy link" }).click());
  await context.close();
  const other = await open(site, { hash: new URL(link).hash });
  await said(other.page, "Line 6 is reached");
  assert.equal(await target(other.page).inputValue(), "high");
  assert.equal(await pane(other.page).locator("output").innerText(), "5");
  await other.context.close();
});

test("with too few rounds it stays open, and more are offered", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await program(
    page,
    "int f(int n) {\n    int x = 2;\n    while (n-- > 0)\n        x = x * 3 % 700000001;\n    if (x == 5)\n        return 1;\n    return 0;\n}\n",
  );
  await tab(page, "Reach");
  // The fifth of the slider's steps: 10.
  await pane(page).getByRole("slider").first().fill("4");
  await target(page).fill("6");
  await target(page).press("Enter");
  await said(page, "stays open");
  await pane(page).getByText("The nearest run found").waitFor();
  await pane(page).getByRole("button", { name: "Look at more rounds: K = 25" }).click();
  await said(page, "stays open");
  assert.equal(await pane(page).locator("output").innerText(), "25");
  assert.deepEqual(errors, []);
  await context.close();
});

test("Cancel ends a long search", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await example(page, "A text with four words");
  await page.locator("header").getByRole("button", { name: "Cancel", exact: true }).click();
  await pane(page).getByText("Cancelled").waitFor();
  assert.equal(await pane(page).getAttribute("aria-busy"), "false");
  assert.deepEqual(errors, []);
  await context.close();
});

test("the condition is there while it is being decided, and stays when the run is cancelled", async () => {
  const { page, context, errors } = await open(site);
  const held = await holding(page, "reach", 'event.kind === "reach_condition"');
  await page.reload();
  await upToDate(page);
  await example(page, "A text with four words");
  await until(() => held.length > 0, "the run is held");
  await pane(page).locator("#reach-condition").waitFor();
  assert.equal(await pane(page).getAttribute("aria-busy"), "true");
  await bar(page, "Cancel").click();
  await cancelled(pane(page));
  assert.match(await text(page, "condition"), /^Necessary condition .*∃ κ/);
  assert.match(await text(page, "backbones"), /^50 backbones and more/);
  assert.equal(await pane(page).locator('ol[aria-label="Backbones"] .length').first().textContent(), "not asked");
  assert.match(await text(page, "loops"), /loop summar/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});
