// axe-core finds nothing in any state: by day on a phone in the dark, by night in every dress. Other tests ask in the light.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawn, launch, nightly, open, refused, setProgram, tab, upToDate, violations } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const check = async (page, state) => assert.deepEqual(await violations(page), [], state);

const DRESSES = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["a phone in the dark", { colorScheme: "dark", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];

for (const [name, options] of DRESSES.filter(([, { isMobile }]) => isMobile || nightly)) {
  test(`axe-core finds nothing: ${name}`, async () => {
    const { page, context } = await open(site, options);
    await upToDate(page);
    await check(page, "as opened");
    await page.getByRole("button", { name: "Examples" }).click();
    await check(page, "examples");
    await page.keyboard.press("Escape");
    await tab(page, "Graph");
    await drawn(page, 10);
    await page.locator(".canvas .node.loop").first().dispatchEvent("click");
    await check(page, "graph with a selection");
    await page.getByRole("button", { name: "List" }).click();
    await check(page, "list");
    await page.getByRole("button", { name: "List" }).click();
    await tab(page, "Paths");
    await page.waitForSelector("table.paths");
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await page.getByText("12 paths drawn").waitFor({ timeout: 60_000 });
    await page.locator("ol.drawn > li > button").nth(1).click();
    await page.getByLabel("Lengths").fill("x");
    await check(page, "paths");
    await page.locator(".summary").getByRole("button", { name: "Check the evidence" }).click();
    await page.getByText("All 12 claims hold.").waitFor();
    await page.locator(".check-pane ol.drawn > li > button").nth(1).click();
    await check(page, "check");
    await tab(page, "Prune");
    await page.locator(".red-graph [data-slot].abstracted").first().waitFor({ timeout: 60_000 });
    await check(page, "prune");
    await page.locator(".red-graph [data-slot].abstracted").first().dispatchEvent("click");
    await page.getByText("Red vertex").waitFor();
    await page.getByRole("button", { name: /^Settings/ }).click();
    await page.locator("summary", { hasText: "Legend" }).locator("visible=true").first().click();
    await check(page, "prune with a selection and settings");
    await page.getByRole("button", { name: "S and S′" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".of-pruned .node").length === 58, null, { timeout: 20_000 });
    await page.locator(".of-pruned .node").first().dispatchEvent("click");
    await page.getByLabel("Lookahead").fill("x");
    await check(page, "S′ with a selection, a wrong setting");
    await page.getByRole("button", { name: "Path counts" }).click();
    await check(page, "counts");
    await tab(page, "Explain");
    await page.locator(".prefixes li.chosen").waitFor({ timeout: 60_000 });
    await page.waitForFunction(() => document.querySelectorAll(".of-automaton .node").length > 2, null, { timeout: 20_000 });
    await check(page, "explain");
    await page.getByRole("button", { name: /^Settings/ }).locator("visible=true").click();
    await page.locator(".explain-pane .views button").nth(1).click();
    await page.locator(".next button").first().click();
    await page.getByText("Built path").first().waitFor();
    await check(page, "explain: a path that is built, settings");
    await page.locator(".explain-pane .views button").nth(2).click();
    await page.locator(".next button").first().click();
    await check(page, "explain: another path");
    await page.locator(".explain-pane .views button").nth(3).click();
    await check(page, "explain: rounds");
    await page.locator(".explain-pane .views button").nth(4).click();
    await page.getByRole("button", { name: "Measure the speed-up" }).click();
    await page.locator(".explain-pane .chart svg").first().waitFor({ timeout: 60_000 });
    await check(page, "explain: tables");
    await tab(page, "Cover");
    await page.locator(".cover-pane .summary .badge").first().waitFor({ timeout: 60_000 });
    await check(page, "cover");
    await page.locator(".cover-pane .kind.tests button.row").nth(1).click();
    await page.locator(".cover-pane").getByRole("button", { name: /^Settings/ }).click();
    await check(page, "cover: a test, settings");
    await page.getByLabel("Unwindings").fill("x");
    await check(page, "cover: a wrong setting");
    await page.getByLabel("Unwindings").fill("0");
    await page.locator(".cover-pane").getByRole("button", { name: "Run", exact: true }).click();
    await page.locator(".cover-pane .kind.within button.row").first().click({ timeout: 60_000 });
    await check(page, "cover: a statement beyond the bound");
    if (options.isMobile) await tab(page, "Program");
    await setProgram(page, "int f(int x) { return + ; }\n");
    await refused(page);
    await check(page, "refused");
    await context.close();
  });
}
