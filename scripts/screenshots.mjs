// Pictures of every tab in every dress, into screenshots/: look at them after a change to the page.

import { mkdir, readFile } from "node:fs/promises";
import { answered, bar, closeSettings, draw, drawn, launch, open, openSettings, run, tab } from "../tests/browser/harness.mjs";

const folder = process.argv[2] ?? "screenshots";
await mkdir(folder, { recursive: true });
const site = await launch();

const DRESSES = [
  { name: "light", options: { colorScheme: "light" } },
  { name: "dark", options: { colorScheme: "dark" } },
  { name: "phone", options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true } },
  { name: "projector", options: { viewport: { width: 1280, height: 720 } } },
  { name: "tablet", options: { viewport: { width: 768, height: 1024 } } },
  { name: "wide", options: { viewport: { width: 1600, height: 1000 } } },
];

for (const { name, options } of DRESSES) {
  const { page, context, errors } = await open(site, options);
  const shot = async (what) => {
    await page.waitForTimeout(150);
    await page.screenshot({ path: `${folder}/${name}-${what}.png` });
  };
  if (name === "projector") await page.getByRole("button", { name: "Present" }).click();
  await answered(page);
  if (name === "phone") await shot("program");
  await tab(page, "Graph");
  await drawn(page);
  await shot("graph");
  // As a person would, on its label.
  const label = page.locator(".canvas [data-edge].assume .label").first();
  await (options.hasTouch ? label.tap() : label.click());
  await page.waitForSelector(".canvas [data-edge].selected");
  await shot("graph-selected");
  await page.getByRole("button", { name: "Close the details" }).click();
  await page.locator(".graph-pane").getByRole("button", { name: "List" }).click();
  await shot("list");
  await page.locator(".graph-pane").getByRole("button", { name: "List" }).click();
  await tab(page, "Paths");
  await page.waitForSelector("table.paths");
  await page.waitForFunction(() => !document.querySelector(".run-state progress"));
  await shot("paths");
  await openSettings(page);
  await shot("paths-settings");
  await closeSettings(page);
  await draw(page);
  await page.waitForSelector("ol.drawn > li");
  await page.waitForFunction(() => !document.querySelector(".run-state progress"));
  const infeasible = page.locator("ol.drawn > li.no > button").first();
  if (await infeasible.count()) await infeasible.click();
  await shot("drawn");
  if (await infeasible.count()) {
    // On a phone what can be done with a path is behind a button.
    if (await page.getByRole("button", { name: "Show…" }).count()) await page.getByRole("button", { name: "Show…" }).click();
    await page.getByRole("button", { name: "In the graph" }).click();
  }
  await shot("path-in-graph");
  await tab(page, "Prune");
  await page.locator(".red-graph [data-slot].abstracted").first().waitFor({ timeout: 60_000 });
  await page.waitForTimeout(800);
  await shot("prune");
  await page.locator(".red-graph [data-slot].abstracted").first().click();
  await shot("prune-selected");
  await openSettings(page);
  await shot("prune-settings");
  await closeSettings(page);
  await page.getByRole("button", { name: "S and S′" }).click();
  await page.waitForTimeout(800);
  await shot("prune-s-and-pruned");
  await page.locator(".prune-pane .views button").last().click();
  await shot("prune-counts");
  await tab(page, "Explain");
  await page.locator(".prefixes li.chosen").waitFor({ timeout: 60_000 });
  await page.waitForTimeout(800);
  await shot("explain");
  for (const part of ["Why", "S", "Automaton", "List"]) {
    const button = page.locator(".explain-pane .pane-bar").getByRole("button", { name: part, exact: true });
    if (!(await button.count())) continue;
    await button.click();
    await page.waitForTimeout(300);
    await shot(`explain-${part}`);
  }
  const views = page.locator(".explain-pane .views button");
  await views.nth(1).click();
  for (let i = 0; i < 4; i++) await page.locator(".next button").first().click();
  await page.waitForTimeout(600);
  await shot("explain-build");
  await views.nth(2).click();
  await page.locator(".next button").last().click();
  await page.waitForTimeout(600);
  await shot("explain-other");
  await views.nth(3).click();
  await run(page);
  await page.locator("table.rounds, .explain-pane .mark").first().waitFor({ timeout: 60_000 });
  await shot("explain-rounds");
  await views.nth(4).click();
  await page.getByRole("button", { name: "Measure the speed-up" }).click();
  await page.locator(".explain-pane .chart svg").first().waitFor({ timeout: 60_000 });
  await shot("explain-tables");
  await tab(page, "Reach");
  await page.locator(".reach-pane input.target").fill("36");
  await page.locator(".reach-pane input.target").press("Enter");
  await page.locator(".reach-verdict").waitFor({ timeout: 60_000 });
  await page.waitForTimeout(300);
  await shot("reach");
  await page.locator(".reach-pane ol.drawn button.row").first().click();
  await shot("reach-backbone");
  await tab(page, "Cover");
  await page.locator(".cover-pane .summary .badge").first().waitFor({ timeout: 60_000 });
  await page.locator(".cover-pane .kind.tests button.row").first().click();
  await page.waitForTimeout(600);
  await shot("cover-test");
  await openSettings(page);
  await page.getByLabel("Unwindings").fill("0");
  await closeSettings(page);
  await run(page);
  await page.locator(".cover-pane .kind.within button.row").first().click();
  await page.waitForTimeout(600);
  await shot("cover-not-within");
  await page.locator(".cover-pane .which button").last().click();
  await run(page);
  await page.locator('.cover-pane[aria-busy="false"] .compared').first().waitFor({ timeout: 180_000 });
  await shot("cover-compare");
  await page.getByRole("button", { name: "This program" }).click();
  await tab(page, "Branches");
  await page.locator('.branches-pane[aria-busy="false"] .save').waitFor({ timeout: 60_000 });
  await shot("branches");
  await page.locator(".branches-pane").getByRole("button", { name: "At work" }).click();
  await page.locator(".stepper").getByLabel("First step").click();
  for (let i = 0; i < 8; i++) await page.locator(".stepper").getByLabel("Step on").click();
  await shot("branches-at-work");
  await page.locator(".branches-pane").getByRole("button", { name: "Result" }).click();
  await tab(page, "Report");
  await page.locator(".report-pane .sentence").waitFor({ timeout: 60_000 });
  await shot("report");
  await page.locator(".report-pane .kind.branches button.row").first().click();
  await shot("report-branch");
  await tab(page, "Run");
  await page.locator(".run-pane .summary .badge").first().waitFor({ timeout: 60_000 });
  await openSettings(page);
  await shot("run-input");
  const inputs = page.locator(".popover-panel .input-scalar input");
  for (let i = 0; i < (await inputs.count()); i++) await inputs.nth(i).fill("3");
  await closeSettings(page);
  await run(page);
  await page.waitForTimeout(500);
  for (let i = 0; i < 7; i++) await page.locator(".path-bar").getByRole("button", { name: "Step on" }).click();
  await page.waitForTimeout(500);
  await shot("run");
  await tab(page, "Check");
  await shot("check-offered");
  await page.locator(".sources li", { hasText: "Drawn" }).getByRole("button", { name: "Check" }).click();
  await page.getByText("claims hold.").waitFor();
  await shot("check");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(".sources li", { hasText: "Drawn" }).getByRole("button", { name: "Save the file" }).click(),
  ]);
  const evidence = JSON.parse(await readFile(await download.path(), "utf8"));
  evidence.claims.find((claim) => claim.claim === "reached").input.la += 1;
  await page
    .locator("input[type=file][accept*=json]")
    .setInputFiles({ name: "tampered.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(evidence)) });
  await page.getByText("rejected.", { exact: false }).first().waitFor();
  await page.waitForSelector("li.rejected");
  await page.locator("li.rejected > button").click();
  await shot("check-rejected");
  await page.getByRole("button", { name: "Leave the path" }).click();
  await tab(page, "Graph");
  await bar(page, "More").click();
  await shot("more");
  await page.keyboard.press("Escape");
  const examples = page.getByRole("button", { name: "Examples" });
  if (await examples.count()) {
    await examples.click();
    await shot("examples");
    await page.keyboard.press("Escape");
  }
  const beside = page.getByRole("button", { name: "Beside", exact: true });
  if (await beside.count()) {
    await beside.click();
    await page.frameLocator("iframe.framed").locator(".pane").first().waitFor();
    await shot("beside");
    await beside.click();
  }
  await page.evaluate(() => (location.hash = "#tour.prune.4"));
  await page.waitForSelector('.tour[data-step="4"][data-shown="true"]');
  await shot("tour");
  await page.getByRole("button", { name: "End the tour" }).click();
  if (name === "phone") await tab(page, "Program");
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("int x = ;");
  await page.waitForTimeout(900);
  await shot("problem");
  const docs = page.getByRole("link", { name: "Docs", exact: true });
  if (!(await docs.count())) await bar(page, "More").click();
  await docs.click();
  await page.waitForSelector(".pages");
  await shot("docs");
  for (const link of await page.locator(".pages a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))) {
    await page.goto(new URL(link, page.url()).href);
    const title = link.replace(/\.html$/, "");
    await shot(`docs-${title}`);
    await page.screenshot({ path: `${folder}/${name}-docs-${title}-whole.png`, fullPage: true });
  }
  if (errors.length) console.log(name, errors);
  await context.close();
}
await site.close();
