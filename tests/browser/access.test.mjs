// axe-core finds nothing in any state: by day on a phone in the dark, by night in every dress. Other tests ask in the light.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  answered,
  bar,
  closeSettings,
  draw,
  drawn,
  fewPrefixes,
  launch,
  nightly,
  open,
  openSettings,
  refused,
  setProgram,
  tab,
  upToDate,
  violations,
} from "./harness.mjs";

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
    const { page, context } = await open(site, { ...options, hash: await fewPrefixes() });
    await upToDate(page);
    await answered(page);
    await check(page, "as opened, with the answer");
    await page.getByRole("button", { name: "More" }).click();
    await check(page, "more");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Examples" }).click();
    await check(page, "examples");
    await page.keyboard.press("Escape");
    await tab(page, "Graph");
    await drawn(page, 10);
    await page.locator(".canvas > svg .node.loop").first().dispatchEvent("click");
    await check(page, "graph with a selection");
    await page.getByRole("button", { name: "List" }).click();
    await check(page, "list");
    await page.getByRole("button", { name: "List" }).click();
    await tab(page, "Paths");
    await page.waitForSelector("table.paths");
    await check(page, "paths");
    await openSettings(page);
    await page.getByLabel("Lengths").fill("x");
    await check(page, "paths: a wrong setting");
    await page.getByLabel("Lengths").fill("10,20");
    await closeSettings(page);
    await draw(page);
    await page.getByText("12 paths drawn").waitFor();
    await page.locator("ol.drawn > li > button").nth(1).click();
    await check(page, "drawn paths");
    await openSettings(page);
    await check(page, "drawn paths, settings");
    await closeSettings(page);
    await page.locator(".summary").getByRole("button", { name: "Check the evidence" }).click();
    await page.getByText(/All 12 claims hold/).waitFor();
    await page.locator(".check-pane ol.drawn > li > button").nth(1).click();
    await check(page, "check");
    await tab(page, "Prune");
    await page.locator(".red-graph [data-slot].abstracted").first().waitFor({ state: "attached" });
    await check(page, "prune");
    await page.locator(".red-graph [data-slot].abstracted").first().dispatchEvent("click");
    await page.locator("b", { hasText: /^Red vertex/ }).waitFor();
    await check(page, "prune with a selection");
    await page.getByRole("button", { name: "Close the details" }).click();
    await page.locator("summary", { hasText: "Legend" }).locator("visible=true").first().click();
    await openSettings(page);
    await check(page, "prune with a legend and settings");
    await closeSettings(page);
    await page.getByRole("button", { name: "S and S′" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".of-pruned .node").length === 58);
    await page.locator(".of-pruned .node").first().dispatchEvent("click");
    await check(page, "S′ with a selection");
    await openSettings(page);
    await page.getByLabel("Lookahead").fill("x");
    await check(page, "a wrong setting");
    await closeSettings(page);
    await page.locator(".prune-pane .views").getByRole("button").last().click();
    await check(page, "counts");
    await tab(page, "Explain");
    await page.locator(".prefixes li.chosen").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".of-automaton .node").length > 2);
    await check(page, "explain");
    await openSettings(page);
    await check(page, "explain: settings");
    await closeSettings(page);
    if (options.isMobile) {
      for (const part of ["Why", "S", "Automaton", "List"]) {
        await page.locator(".explain-pane .pane-bar").getByRole("button", { name: part, exact: true }).click();
        await check(page, `explain: ${part}`);
      }
    }
    await page.locator(".explain-pane .views button").nth(1).click();
    await page.locator(".next button").first().click();
    await page.getByText("Built path").first().waitFor({ state: "attached" });
    await check(page, "explain: a path that is built");
    await page.locator(".explain-pane .views button").nth(2).click();
    await page.locator(".next button").first().click();
    await check(page, "explain: another path");
    await page.locator(".explain-pane .views button").nth(3).click();
    await check(page, "explain: rounds");
    await page.locator(".explain-pane .views button").nth(4).click();
    await page.getByRole("button", { name: "Measure the speed-up" }).click();
    await page.locator(".explain-pane .chart svg").first().waitFor();
    await check(page, "explain: tables");
    await tab(page, "Reach");
    await page.getByText("Click a line of the program").waitFor();
    await check(page, "reach: nothing asked");
    const target = page.locator(".reach-pane input.target");
    await target.fill("99");
    await target.press("Enter");
    await page.locator(".reach-pane").getByRole("alert").waitFor();
    await check(page, "reach: no such line");
    await target.fill("36");
    await target.press("Enter");
    await page.locator(".reach-verdict").waitFor();
    await page.locator(".reach-pane ol.drawn button.row").first().click();
    await check(page, "reach: a backbone");
    await tab(page, "Cover");
    await page.locator(".cover-pane .summary .badge").first().waitFor();
    await check(page, "cover");
    await page.locator(".cover-pane .kind.tests button.row").nth(1).click();
    await openSettings(page);
    await check(page, "cover: a test, settings");
    await page.getByLabel("Unwindings").fill("x");
    await check(page, "cover: a wrong setting");
    await page.getByLabel("Unwindings").fill("0");
    await bar(page, "Analyse").click();
    await page.locator(".cover-pane .kind.within button.row").first().click();
    await check(page, "cover: a statement beyond the bound");
    await tab(page, "Branches");
    await page.locator(".branches-pane .summary .badge").first().waitFor();
    await page.locator(".branches-pane .kind.branches button.row").first().click();
    await check(page, "branches: a branch");
    await openSettings(page);
    await page.getByLabel("Tests to begin with").selectOption("given");
    await check(page, "branches: a wrong setting");
    await closeSettings(page);
    await tab(page, "Report");
    await page.locator(".report-pane .sentence").waitFor();
    await page.locator(".report-pane .kind.branches button.row").first().click();
    await check(page, "report: a branch");
    if (options.isMobile) await tab(page, "Program");
    await setProgram(page, "int f(int x) { return + ; }\n");
    await refused(page);
    await check(page, "refused");
    await context.close();
  });
}
