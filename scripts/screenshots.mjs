// Pictures of the page, into screenshots/: look at them after a change to it. Every tab in every dress, in a frame of another page and printed,
// and the objects of the Run tab.
//
//   ./dev build && node scripts/screenshots.mjs [FOLDER] [PART…]
//
// PART is one of light, dark, phone, present, tablet, wide, embed, print, objects, docs; without any all are made.

import { mkdir } from "node:fs/promises";
import {
  analysed,
  answered,
  bar,
  closeSettings,
  draw,
  drawn,
  launch,
  linkTo,
  open,
  openSettings,
  run,
  still,
  tab,
} from "../tests/browser/harness.mjs";
import { goTo, LIST, shown, TREE } from "../tests/browser/linked.mjs";

const [folder = "screenshots", ...wanted] = process.argv.slice(2);
await mkdir(folder, { recursive: true });

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
/** Windows and looks; `present` is how a lecture hall sees the page. */
const DRESSES = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: PHONE,
  present: { viewport: { width: 1280, height: 720 } },
  tablet: { viewport: { width: 768, height: 1024 } },
  wide: { viewport: { width: 1600, height: 1000 } },
};
const TABS = ["Report", "Graph", "Paths", "Run", "Proofs", "Prune", "Explain", "Reach", "Cover", "Branches"];

const site = await launch();
/** Milliseconds within which each state comes; a picture that is missing is found at once. */
const SOON = 60_000;
const done = (page) => page.waitForFunction(() => !document.querySelector(".panel:not([hidden]) .run-state progress"));
const pane = (page, name) => page.locator(`.${name}-pane`);
/** Presses a button where there is one. */
async function press(scope, name) {
  const button = scope.getByRole("button", { name, exact: true });
  if (await button.count()) await button.first().click();
  return (await button.count()) > 0;
}
/** What takes a picture of a page when it stands still. */
const camera = (page, name) => async (what) => {
  await still(page);
  await page.screenshot({ path: `${folder}/${name}-${what}.png` });
};

/** Shows a tab with its result; Reach is asked for line 36. */
async function withResult(page, name) {
  await tab(page, name);
  if (name === "Report") await page.locator(".report-pane .sentence").waitFor();
  if (name === "Graph") await drawn(page);
  if (name === "Paths") await page.locator("table.paths").waitFor();
  if (name === "Run") await page.locator(".run-pane .summary .badge").first().waitFor();
  if (name === "Prune") await page.locator(".red-graph [data-slot].abstracted").first().waitFor({ state: "attached" });
  if (name === "Explain") await page.locator(".prefixes li.chosen").waitFor();
  if (name === "Cover" || name === "Branches") await pane(page, name.toLowerCase()).locator(".summary .badge").first().waitFor();
  if (name === "Reach" && !(await page.locator(".reach-verdict").count())) {
    await page.locator(".reach-pane input.target").fill("36");
    await page.locator(".reach-pane input.target").press("Enter");
    await page.locator(".reach-verdict").waitFor();
  }
  await done(page);
}

async function answers(page, shot) {
  await withResult(page, "Report");
  await shot("report");
  await page.locator(".report-pane .kind.branches button.row").first().click();
  await shot("report-branch");
  await withResult(page, "Graph");
  await shot("graph");
  await page.locator(".graph-pane [data-edge].assume .label").first().dispatchEvent("click");
  await page.locator(".graph-pane [data-edge].selected").first().waitFor();
  await shot("graph-selected");
  await page.getByRole("button", { name: "Close the details" }).click();
  await press(pane(page, "graph"), "List");
  await shot("graph-list");
  await press(pane(page, "graph"), "List");
  await withResult(page, "Paths");
  await shot("paths");
  await openSettings(page);
  await shot("paths-settings");
  await closeSettings(page);
  await draw(page);
  await page.locator(".paths-pane ol.drawn > li").first().waitFor();
  await done(page);
  await page.locator(".paths-pane ol.drawn > li.no > button").first().click();
  await shot("paths-drawn");
  // On a phone what can be done with a path is behind a button.
  await press(page, "Show…");
  await page.getByRole("button", { name: "In the graph" }).click();
  await shot("path-in-graph");
  await press(page, "Leave the path");
  await withResult(page, "Run");
  await openSettings(page);
  await shot("run-input");
  const inputs = page.locator(".popover-panel .input-scalar input");
  for (let i = 0; i < (await inputs.count()); i++) await inputs.nth(i).fill("3");
  await closeSettings(page);
  await run(page);
  await done(page);
  for (let i = 0; i < 7; i++) await page.locator(".path-bar").getByRole("button", { name: "Step on" }).click();
  await shot("run");
  if (await press(pane(page, "run"), "Graph")) await shot("run-graph");
}

async function methods(page, shot) {
  await withResult(page, "Prune");
  await shot("prune");
  await page.locator(".red-graph [data-slot].abstracted").first().dispatchEvent("click");
  await shot("prune-selected");
  await press(page, "S and S′");
  await shot("prune-s-and-pruned");
  await page.locator(".prune-pane .views button").last().click();
  await shot("prune-counts");
  await withResult(page, "Explain");
  await shot("explain");
  for (const part of ["Why", "S", "Automaton"])
    if (await press(page.locator(".explain-pane .pane-bar"), part)) await shot(`explain-${part}`);
  const views = page.locator(".explain-pane .views button");
  await views.nth(1).click();
  for (let i = 0; i < 4; i++) await page.locator(".next button").first().click();
  await shot("explain-build");
  await views.nth(3).click();
  await run(page);
  await page.locator(".explain-pane table").first().waitFor();
  await done(page);
  await shot("explain-rounds");
  await withResult(page, "Reach");
  await shot("reach");
  await page.locator(".reach-pane ol.drawn button.row").first().click();
  await shot("reach-backbone");
  if (await press(page.locator(".reach-pane .pane-bar"), "Graph")) await shot("reach-graph");
  await withResult(page, "Cover");
  await shot("cover");
  await page.locator(".cover-pane .kind.tests button.row").first().click();
  await shot("cover-test");
  if (await press(page.locator(".cover-pane .pane-bar"), "Graph")) await shot("cover-graph");
  await withResult(page, "Branches");
  await shot("branches");
  if (await press(page.locator(".branches-pane .pane-bar"), "Graph")) await shot("branches-graph");
  await page.locator(".branches-pane").getByRole("button", { name: "At work" }).click();
  await page.locator(".stepper").getByLabel("First step").click();
  for (let i = 0; i < 8; i++) await page.locator(".stepper").getByLabel("Step on").click();
  await shot("branches-at-work");
  await page.locator(".branches-pane").getByRole("button", { name: "Result" }).click();
}

async function frame(page, shot) {
  await withResult(page, "Proofs");
  await shot("proofs");
  await page.locator(".sources li").first().getByRole("button", { name: "Check" }).click();
  await page.locator(".check-pane .summary").waitFor();
  await done(page);
  await shot("proofs-checked");
  await tab(page, "Graph");
  await bar(page, "More").click();
  await shot("more");
  await page.keyboard.press("Escape");
  if (await press(page, "Examples")) {
    await shot("examples");
    await page.keyboard.press("Escape");
  }
  if (await press(page, "Beside")) {
    await page.frameLocator("iframe.framed").locator(".pane").first().waitFor();
    await shot("beside");
    await press(page, "Beside");
  }
  await page.evaluate(() => (location.hash = "#tour.prune.4"));
  await page.waitForSelector('.tour[data-step="4"][data-shown="true"]');
  await shot("tour");
  await press(page, "End the tour");
  if (await page.getByRole("tab", { name: "Program" }).count()) await tab(page, "Program");
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("int x = ;");
  await analysed(page);
  await shot("problem");
}

/** Opens the page in a dress; `isNew` as a person sees it who never was there. */
async function dressed(name, options, isNew = false) {
  const opened = await open(site, { ...options, isNew });
  opened.context.setDefaultTimeout(SOON);
  await answered(opened.page);
  if (name === "present") await bar(opened.page, "Present").click();
  return opened;
}

/** What is in an own context: told if the page had errors in it. */
async function inContext(name, opened, act) {
  const { page, context, errors } = await opened;
  await act(page, camera(page, name));
  if (errors.length > 0) console.log(name, errors);
  await context.close();
}

const parts = Object.fromEntries(
  Object.entries(DRESSES).map(([name, options]) => [
    name,
    async () => {
      await inContext(name, dressed(name, options, true), async (page, shot) => {
        await shot("first");
        if (await page.getByRole("tab", { name: "Program" }).count()) {
          await tab(page, "Program");
          await shot("program");
        }
      });
      await inContext(name, dressed(name, options), async (page, shot) => {
        for (const walk of [answers, methods, frame]) await walk(page, shot);
      });
    },
  ]),
);

/** Each tab in a frame of another page, which is as large as the element is at first. */
parts.embed = async () => {
  const context = await site.browser.newContext({ viewport: { width: 960, height: 560 } });
  context.setDefaultTimeout(SOON);
  const page = await context.newPage();
  for (const name of TABS) {
    const link = await linkTo("merge", { tab: name === "Proofs" ? "check" : name.toLowerCase(), reach: { target: "36" } });
    await page.route(`${site.address}lesson`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><html lang="en"><title>Lesson</title><body style="margin: 24px; font-family: sans-serif"><p>The merging sort:</p>
          <script src="${site.address}embed.js" defer></script><culdesac-view link="${link}"></culdesac-view></body></html>`,
      }),
    );
    await page.goto(`${site.address}lesson`);
    const view = page.locator("culdesac-view iframe");
    await view.waitFor();
    const inner = await (await view.elementHandle()).contentFrame();
    await inner.waitForFunction(() => document.querySelector(".answer")?.dataset.done === "true");
    await withResult(inner, name);
    await still(inner);
    await page.screenshot({ path: `${folder}/embed-${name.toLowerCase()}.png` });
    await page.unroute(`${site.address}lesson`);
  }
  await context.close();
};

/** Each tab as it is printed on paper of 210 by 297 millimetres. */
parts.print = () =>
  inContext("print", dressed("print", { viewport: { width: 1280, height: 800 } }), async (page) => {
    for (const name of TABS) {
      await withResult(page, name);
      await still(page);
      await page.pdf({ path: `${folder}/print-${name.toLowerCase()}.pdf`, format: "A4", printBackground: false });
      // In the order of a browser that prints.
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await page.emulateMedia({ media: "print" });
      await page.addStyleTag({ content: "body { width: 718px }" });
      await still(page);
      await page.screenshot({ path: `${folder}/print-${name.toLowerCase()}.png`, fullPage: true });
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      await page.emulateMedia({ media: null });
      await page.evaluate(() => document.head.lastElementChild.remove());
    }
  });

/** A list that is being turned round, and a tree, as Run draws them. */
parts.objects = async () => {
  for (const dress of ["light", "dark", "present", "phone"])
    for (const [what, program, words] of [
      ["list", LIST, "reverse.done → node2"],
      ["tree", TREE, "tree2: key = 2, left → tree4, right → tree5"],
    ])
      await inContext(dress, dressed(dress, { ...DRESSES[dress], viewport: { width: 1280, height: 720 } }), async (page, shot) => {
        await shown(page, program);
        await goTo(page, words);
        if (dress === "phone") {
          await page.setViewportSize(PHONE.viewport);
          await pane(page, "run").getByRole("button", { name: "Objects" }).click();
        }
        await shot(`objects-${what}`);
      });
};

/** The pages of the docs. */
parts.docs = async () => {
  for (const dress of ["light", "dark", "phone"])
    await inContext(dress, open(site, DRESSES[dress]), async (page, shot) => {
      await page.goto(`${site.address}docs/index.html`);
      await shot("docs");
      for (const link of await page.locator(".pages a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))) {
        await page.goto(`${site.address}docs/${link}`);
        await shot(`docs-${link.replace(/\.html$/, "")}`);
      }
    });
};

const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  await site.close();
  throw new Error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`);
}
for (const [name, make] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await make();
await site.close();
