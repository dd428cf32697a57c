// In a lecture: the code of a function alone, terms that are explained where they stand, and two tabs or two programs side by side.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, bar, copiedBy, launch, linkTo, open, setProgram, tab, until, upToDate, violations } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const TWO = `int helper(int x) {
  return x + 1;
}

int chosen(int x) {
  if (helper(x) > 3)
    return 1;
  return 0;
}
`;
const codeOf = (page) => page.locator(".cm-content").innerText();

test("Present shows the code of the chosen function alone, all of it on request, and another function where it is pointed at", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 1280, height: 720 } });
  await setProgram(page, TWO);
  await upToDate(page);
  const before = await page.locator(".panel:not([hidden])").evaluate((e) => e.clientWidth);
  await bar(page, "Present").click();
  const others = page.locator(".cm-others");
  await others.first().waitFor();
  const code = await codeOf(page);
  assert.match(code, /int chosen/);
  assert.doesNotMatch(code, /int helper/);
  assert.deepEqual(await violations(page), []);
  assert.ok((await page.locator(".panel:not([hidden])").evaluate((e) => e.clientWidth)) > before, "the picture comes first");
  // The line that a step stands at is shown, wherever it is.
  await tab(page, "Run");
  await page.locator(".path-bar").waitFor();
  await until(async () => {
    if (/return x \+ 1/.test(await codeOf(page))) return true;
    await page.keyboard.press("PageDown");
    return false;
  });
  await page.locator(".path-bar").getByRole("button", { name: "Leave the path" }).click();
  await until(async () => !/int helper/.test(await codeOf(page)));
  await others.first().focus();
  await page.keyboard.press("Enter");
  await until(async () => /int helper/.test(await codeOf(page)));
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Whole program" }).click();
  await until(async () => !/int helper/.test(await codeOf(page)));
  // Without Present all of it is there.
  await page.getByRole("button", { name: "Present" }).click();
  await until(async () => /int helper/.test(await codeOf(page)));
  assert.deepEqual(errors, []);
  await context.close();
});

test("Present shows the functions with lines that never run, too", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 1280, height: 720 }, isNew: true });
  await answered(page);
  await bar(page, "Present").click();
  await page.locator(".cm-dead", { hasText: "return 28;" }).waitFor();
  assert.match(await codeOf(page), /int days_in_year/);
  assert.deepEqual(errors, []);
  await context.close();
});

/** Where a term of each tab stands. */
const TERMS = [
  ["Prune", "S′"],
  ["Explain", "explanation"],
  ["Reach", "κ"],
  ["Reach", "backbone"],
  ["Branches", "cov_f"],
  ["Branches", "it_b"],
];

test("a term is explained on hover, on focus and on a press, with a link to the glossary", async () => {
  const { page, context, errors } = await open(site, {
    hash: await linkTo("merge", { tab: "prune", reach: { target: "36" }, explain: { maxInstructions: 25 }, look: { view: "counts" } }),
  });
  await upToDate(page);
  for (const [title, name] of TERMS) {
    await tab(page, title);
    if (title === "Reach" && !(await page.locator(".reach-verdict").count())) await bar(page, /^(Run|Analyse)$/).click();
    const term = page.locator(`.panel:not([hidden]) [data-term="${name}"]`).first();
    const tip = page.locator(".term-tip");
    await term.hover();
    await tip.waitFor();
    assert.ok((await tip.innerText()).length > 40);
    const box = await tip.boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 800, `${name} is within the window`);
    await page.mouse.move(2, 2);
    await tip.waitFor({ state: "detached" });
    await term.click();
    await tip.waitFor();
    assert.match(await tip.getByRole("link").getAttribute("href"), /^docs\/glossary\.html#[\p{L}\d-]+$/u);
    assert.deepEqual(await violations(page), [], `${title}, ${name}`);
    await page.keyboard.press("Escape");
    await tip.waitFor({ state: "detached" });
    await page.mouse.move(2, 2);
  }
  await tab(page, "Report");
  await page.locator(".report-pane .sentence").waitFor();
  assert.equal(await page.locator(".report-pane [data-term]").count(), 0);
  assert.doesNotMatch(await page.locator(".report-pane").innerText(), /S′|Γ|κ|cov_[bf]|subsumed|backbone/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("two methods on one program side by side: the second follows the program, and the link has both", async () => {
  const { page, context, errors } = await open(site, { hash: await linkTo("f2", { tab: "cover" }) });
  await upToDate(page);
  await page.getByRole("button", { name: "Beside" }).click();
  const beside = page.frameLocator("iframe.framed");
  await beside.locator("#tab-branches[aria-selected='true']").waitFor();
  await beside.locator(".branches-pane .summary .badge").first().waitFor();
  assert.deepEqual(await violations(page), []);
  // An edit is one of both.
  const mine = "int mine(int x) {\n  if (x > 3 && x < 2)\n    return 1;\n  return 0;\n}\n";
  await setProgram(page, mine);
  await upToDate(page);
  await beside.locator(".answer", { hasText: /1 of 4 branches/ }).waitFor();
  await beside.locator("#tab-prune").click();
  await beside.locator("#panel-prune .summary").waitFor();
  const href = await copiedBy(page, () => bar(page, "Copy link").click());
  const again = await open(site, { hash: new URL(href).hash, isNew: true });
  const second = again.page.frameLocator("iframe.framed");
  await again.page.locator("#tab-cover[aria-selected='true']").waitFor();
  await second.locator("#tab-prune[aria-selected='true']").waitFor();
  await second.locator(".cm-line", { hasText: "int mine" }).waitFor({ state: "attached" });
  // A reload keeps it, and another press takes it away.
  await again.page.reload();
  await second.locator("#tab-prune[aria-selected='true']").waitFor();
  await again.page.getByRole("button", { name: "Beside" }).press("Enter");
  await again.page.locator("iframe.framed").waitFor({ state: "detached" });
  assert.deepEqual([errors, again.errors], [[], []]);
  await again.context.close();
  await context.close();
});

test("two programs side by side: an example that is opened beside stays there", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await page.getByRole("button", { name: "Beside" }).click();
  const beside = page.frameLocator("iframe.framed");
  await beside.getByRole("button", { name: /^Examples/ }).click();
  await beside.getByRole("button", { name: /Counting in fours/ }).click();
  await beside.locator(".cm-line", { hasText: "int one_loop" }).waitFor();
  await setProgram(page, "int mine(int x) {\n  return x;\n}\n");
  await upToDate(page);
  await beside.locator(".cm-line", { hasText: "int one_loop" }).waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => localStorage.getItem("culdesac.source")?.includes("one_loop")), false);
  assert.deepEqual(errors, []);
  await context.close();
});
