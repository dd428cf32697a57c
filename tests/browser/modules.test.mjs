// The engine's parts: fetched once for all engines, when the page is idle or when a question needs them, and missed only by such questions.
// The answer in the bar is such a question, in an engine of its own.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, bar, closeSettings, count, drawn, launch, leftAtGraph, openSettings, tab, until, upToDate } from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** Opens the page in a browser that is idle only when told so; what is asked of the server from then on. */
async function open({ part, engine } = {}) {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.addInitScript(() => {
    const waiting = [];
    window.requestIdleCallback = (run) => waiting.push(run);
    window.__idle = () => waiting.splice(0).forEach((run) => run());
  });
  if (part) await page.route(part.name, part.route);
  if (engine) await page.route(/culdesac-web\.js(?!\?real)/, engine);
  const from = site.asked.length;
  await leftAtGraph(page);
  await page.goto(site.address);
  await drawn(page, 10);
  await upToDate(page);
  return {
    page,
    context,
    errors,
    idle: () => page.evaluate(() => window.__idle()),
    /** The engine's files that were asked for, in that order. */
    asked: () =>
      site.asked
        .slice(from)
        .filter((path) => path.endsWith(".wasm"))
        .map((path) => path.slice(1, -".wasm".length)),
  };
}

const pruned = (page) =>
  page.waitForFunction(() => document.querySelector("table.prune") && !document.querySelector(".run-state progress"));
const explained = (page) => page.waitForFunction(() => document.querySelector('.explain-pane[aria-busy="false"] .prefixes li'));
const failed = (page) => page.locator(".explain-pane").getByText("The engine could not be loaded").waitFor();

/** What a page asks for that opens. */
const OPENED = ["culdesac-web_bg", "part-answer"];

test("the first part is loaded, then that of the answer, the others once the page is idle, each once for all engines", async () => {
  const { page, context, errors, idle, asked } = await open();
  await answered(page);
  assert.deepEqual(asked(), OPENED);
  await tab(page, "Paths");
  assert.deepEqual(await count(page, "30"), [["30", "1,224", "140", "11.4 %"]]);
  assert.deepEqual(asked(), OPENED);
  await idle();
  const PARTS = ["branches", "check", "compare", "documents", "draw", "explain", "export", "prune", "reach", "run", "shared"];
  const all = [...OPENED, ...PARTS.map((part) => `part-${part}`)].sort();
  await until(() => asked().length === all.length);
  // Those of buttons and further views come after those of tabs.
  assert.deepEqual(asked().slice(-4), ["part-compare", "part-check", "part-export", "part-documents"]);
  await tab(page, "Prune");
  await pruned(page);
  assert.deepEqual(asked().sort(), all);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a page that was never idle loads a part with the tab that needs it, and once", async () => {
  const { page, context, errors, asked } = await open();
  await answered(page);
  await tab(page, "Explain");
  await explained(page);
  // The engine for long runs has found prefixes, the quick one explains the first of them.
  await page.locator(".reason-pane .regex code").waitFor();
  assert.deepEqual(asked().sort(), [...OPENED, "part-explain", "part-shared"]);
  await page.getByRole("button", { name: "Check the evidence" }).first().click();
  await page.getByText(/claims hold\b/).waitFor();
  assert.deepEqual(asked().sort(), [...OPENED, "part-check", "part-explain", "part-shared"]);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a worker that replaces one that was ended fetches nothing", async () => {
  const { page, context, errors, asked } = await open();
  await answered(page);
  const before = asked();
  await tab(page, "Paths");
  await openSettings(page);
  await page.getByLabel("Lengths").fill("500");
  await closeSettings(page);
  await bar(page, "Analyse").click();
  await bar(page, "Cancel").click();
  assert.deepEqual(await count(page, "30"), [["30", "1,224", "140", "11.4 %"]]);
  assert.deepEqual(asked(), before);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a part that is missing is told by the question that needs it, not by others; the next one tries again", async () => {
  let missing = true;
  let refused = 0;
  const route = (route) => {
    if (!missing) return route.continue();
    refused++;
    return route.fulfill({ status: 404 });
  };
  const { page, context, idle } = await open({ part: { name: /part-explain/, route } });
  await answered(page);
  assert.equal(refused, 0);
  await idle();
  await until(() => refused > 0);
  await tab(page, "Paths");
  assert.deepEqual(await count(page, "30"), [["30", "1,224", "140", "11.4 %"]]);
  assert.equal(await page.locator(".notice").count(), 0);
  const asking = refused;
  await tab(page, "Explain");
  await failed(page);
  assert.match(await page.locator(".notice.error").textContent(), /^The engine could not be loaded: .*The next question tries again/);
  assert.ok(refused > asking, "the question tried again");
  await tab(page, "Paths");
  await count(page, "50");
  await page.locator("table.paths").getByText("24,434").waitFor();
  missing = false;
  await tab(page, "Explain");
  await bar(page, "Analyse").click();
  await explained(page);
  await context.close();
});

test("without the part of the answer the bar says what it could not work out, and the graph is there", async () => {
  const { page, context } = await open({ part: { name: /part-answer/, route: (route) => route.fulfill({ status: 404 }) } });
  assert.match(await answered(page), /not worked out/);
  await context.close();
});

test("a panic in a part is told with its text, and the worker is replaced", async () => {
  let loads = 0;
  const body = `export * from "./culdesac-web.js?real";
    export { default } from "./culdesac-web.js?real";
    import { ask as real } from "./culdesac-web.js?real";
    export function ask(name, ...rest) {
      if (name !== "explain") return real(name, ...rest);
      console.error("panicked at the second disco");
      throw new WebAssembly.RuntimeError("unreachable");
    }`;
  const engine = (route) => {
    loads++;
    return route.fulfill({ contentType: "text/javascript", body });
  };
  const { page, context } = await open({ engine });
  await tab(page, "Explain");
  await page.getByText("panicked at the second disco").first().waitFor();
  const before = loads;
  assert.ok(before >= 1);
  await page.unroute(/culdesac-web\.js(?!\?real)/);
  await page.getByRole("button", { name: "Dismiss" }).click();
  // The worker that replaced it may have been loaded before the route was taken away, the next one is not.
  for (let attempt = 0; attempt < 2 && (await page.locator(".prefixes li").count()) === 0; attempt++) {
    await bar(page, "Analyse").click();
    await page.waitForFunction(() => document.querySelector('.explain-pane[aria-busy="false"]')?.querySelector(".prefixes li, .mark.bad"));
  }
  await explained(page);
  await context.close();
});
