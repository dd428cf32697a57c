// What persons do with the page, from beginning to end: a student with the programs of a course, and a lecturer without a mouse. The newcomer
// is in newcomer.test.mjs, as is the researcher who takes tables away; the engineer with coverage is in justify.test.mjs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, bar, copiedBy, launch, linkTo, open, setProgram, until, upToDate, violations } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** Programs of a course; in each the line with `never` does not run, for a reason that its card names. */
const COURSE = [
  ["int a(int x) {\n  if (x > 5 && x < 3)\n    return 1; // never\n  return 0;\n}\n", /x > 5/],
  ["int b(int x) {\n  int y = x % 2;\n  if (y > 1)\n    return 1; // never\n  return 0;\n}\n", /y > 1/],
  ["int c(unsigned x) {\n  if (x < 0)\n    return 1; // never\n  return 0;\n}\n", /x < 0/],
  ["int d(int x) {\n  if (x == 4)\n    return 4;\n  if (x == 4)\n    return 5; // never\n  return 0;\n}\n", /x == 4/],
  ["int e(int n) {\n  int i = 0;\n  while (i < 10)\n    i++;\n  if (i != 10)\n    return 1; // never\n  return n;\n}\n", /i != 10/],
  ["int f(int a, int b) {\n  if (a > b) {\n    if (b > a)\n      return 1; // never\n  }\n  return 0;\n}\n", /a > b/],
  ["int g(int x) {\n  int sign = x < 0 ? -1 : 1;\n  if (sign == 0)\n    return 1; // never\n  return sign;\n}\n", /sign == 0/],
  ["int h(int x) {\n  switch (x & 1) {\n  case 0:\n    return 0;\n  case 2:\n    return 2; // never\n  }\n  return 1;\n}\n", /./],
  ["int i(int x) {\n  for (int k = 0; k < 4; k++) {\n    if (k > 7)\n      return 1; // never\n  }\n  return x;\n}\n", /k > 7/],
  [
    "static int low(int x) {\n  return x < 10 ? x : 10;\n}\nint j(int x) {\n  if (low(x) > 10)\n    return 1; // never\n  return 0;\n}\n",
    /10/,
  ],
  [
    "int k(char c) {\n  if (c >= 'a' && c <= 'z') {\n    if (c == 'A')\n      return 1; // never\n  }\n  return 0;\n}\n",
    /c >= 'a'|c == 'A'/,
  ],
  ["int l(int x) {\n  int t[3] = {1, 2, 3};\n  if (t[1] == 5)\n    return 1; // never\n  return t[0] + x;\n}\n", /t\[1\] == 5/],
  [
    "int m(int x) {\n  int done = 0;\n  if (x > 0)\n    done = 1;\n  if (x > 0 && !done)\n    return 1; // never\n  return 0;\n}\n",
    /done|x > 0/,
  ],
];

test("the student pastes thirteen programs, and one click on a line says why it never runs", async () => {
  const { page, context, errors } = await open(site, { isNew: true });
  await answered(page);
  const card = page.locator(".line-card");
  for (const [source, reason] of COURSE) {
    const of = source.slice(0, source.indexOf("{") - 1);
    await setProgram(page, source);
    await upToDate(page);
    const dead = page.locator(".cm-line.cm-dead", { hasText: "// never" });
    await dead.waitFor();
    await dead.click();
    await card.waitFor();
    const text = (await card.innerText()).replace(/\s+/g, " ");
    assert.match(text, /^Line \d+ ✕ never runs/, of);
    assert.match(text, reason, of);
  }
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

/** The methods in the order of their tabs, each with what it has once it has a result. */
const METHODS = [
  ["prune", ".red-graph [data-slot].abstracted"],
  ["explain", ".prefixes li.chosen"],
  ["reach", ".reach-verdict"],
  ["cover", ".cover-pane .summary .badge"],
  ["branches", ".branches-pane .summary .badge"],
];

test("the lecturer presents five methods at 1280 × 720 by keyboard, and shares a step", async () => {
  const { page, context, errors } = await open(site, {
    viewport: { width: 1280, height: 720 },
    hash: await linkTo("merge", { reach: { target: "36" }, explain: { maxInstructions: 30 } }),
  });
  await answered(page);
  await bar(page, "Present").focus();
  await page.keyboard.press("Enter");
  await page.locator(":root.projector").waitFor({ state: "attached" });
  const selected = () => page.locator('[role="tab"][aria-selected="true"]').getAttribute("id");
  const seen = [];
  for (const [id, found] of METHODS) {
    await page.locator('[role="tab"][aria-selected="true"]').focus();
    while ((await selected()) !== `tab-${id}`) await page.keyboard.press("ArrowRight");
    await page.locator(found).first().waitFor({ state: "attached" });
    await page.waitForFunction(() => !document.querySelector(".panel:not([hidden]) .run-state progress"));
    // A clicker steps, whatever has the focus; each step changes what is shown.
    const shown = () => page.evaluate(() => document.querySelector("main").innerHTML);
    await page.keyboard.press("PageUp");
    const before = await shown();
    await page.keyboard.press("PageDown");
    await until(async () => (await shown()) !== before, `${id} steps`);
    seen.push(id);
  }
  assert.deepEqual(
    seen,
    METHODS.map(([id]) => id),
  );
  // Back to Prune, to its third step.
  await page.locator('[role="tab"][aria-selected="true"]').focus();
  while ((await selected()) !== "tab-prune") await page.keyboard.press("ArrowLeft");
  const step = () => page.locator(".stepper .count").innerText();
  await page.getByRole("button", { name: "First step" }).focus();
  await page.keyboard.press("Enter");
  for (let i = 0; i < 3; i++) await page.keyboard.press("PageDown");
  assert.match(await step(), /^3\b/);
  const more = page.getByRole("button", { name: "More" });
  if (!(await bar(page, "Copy link").count())) {
    await more.focus();
    await page.keyboard.press("Enter");
  }
  const link = await copiedBy(page, async () => {
    await page.getByRole("button", { name: "Copy link", exact: true }).focus();
    await page.keyboard.press("Enter");
  });
  const again = await open(site, { hash: new URL(link).hash, isNew: true });
  await again.page.locator("#tab-prune[aria-selected='true']").waitFor();
  await until(async () => /^3\b/.test(await again.page.locator(".stepper .count").innerText()));
  assert.deepEqual([errors, again.errors], [[], []]);
  await again.context.close();
  await context.close();
});
