// The engine's later part: loaded when the page is idle or when a question needs it, and missed only by such questions. The answer
// in the bar is such a question, in an engine of its own.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, bar, count, drawn, launch, tab, until, upToDate } from "./harness.mjs";

const LATER = "/split_later.wasm";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** Opens the page in a browser that is idle only when told so; what is asked of the server from then on. */
async function open({ later, engine } = {}) {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.addInitScript(() => {
    const waiting = [];
    window.requestIdleCallback = (run) => waiting.push(run);
    window.__idle = () => waiting.splice(0).forEach((run) => run());
  });
  if (later) await page.route(/split_later/, later);
  if (engine) await page.route(/culdesac-web\.js(?!\?real)/, engine);
  const from = site.asked.length;
  await page.goto(site.address);
  await drawn(page, 10);
  await upToDate(page);
  return {
    page,
    context,
    errors,
    idle: () => page.evaluate(() => window.__idle()),
    /** How often the later part was asked for. */
    asked: () => site.asked.slice(from).filter((path) => path === LATER).length,
  };
}

const pruned = (page) =>
  page.waitForFunction(() => document.querySelector("table.prune") && !document.querySelector(".run-state progress"), null, {
    timeout: 60_000,
  });
const explained = (page) =>
  page.waitForFunction(() => document.querySelector('.explain-pane[aria-busy="false"] .prefixes li'), null, { timeout: 60_000 });
const failed = (page) => page.locator(".explain-pane").getByText("The engine could not be loaded").waitFor({ timeout: 20_000 });

test("the later part is loaded for the answer, for other engines once the page is idle, not for graphs and paths", async () => {
  const { page, context, errors, idle, asked } = await open();
  await answered(page);
  assert.equal(asked(), 1);
  await tab(page, "Paths");
  assert.deepEqual(await count(page, "30"), [["30", "1,224", "140", "11.4 %"]]);
  assert.equal(asked(), 1);
  await idle();
  await until(() => asked() === 2);
  await tab(page, "Prune");
  await pruned(page);
  assert.equal(asked(), 2);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a page that was never idle loads it with the first question that needs it, and for each engine once", async () => {
  const { page, context, errors, asked } = await open();
  await answered(page);
  await tab(page, "Explain");
  await explained(page);
  // The engine for long runs has found prefixes, the quick one explains the first of them.
  await page.locator(".reason-pane .regex code").waitFor({ timeout: 30_000 });
  assert.equal(asked(), 3);
  await page.getByRole("button", { name: "Check the evidence" }).first().click();
  await page.getByText(/claims hold\b/).waitFor({ timeout: 60_000 });
  assert.equal(asked(), 3);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a later part that is missing is told by the question that needs it, not by others; the next one tries again", async () => {
  let missing = true;
  let refused = 0;
  const later = (route) => {
    if (!missing) return route.continue();
    refused++;
    return route.fulfill({ status: 404 });
  };
  const { page, context, idle } = await open({ later });
  // The answer says what it could not work out, and goes on with what needs no later part.
  assert.match(await answered(page), /^Branches: not worked out, .*\. Of 1,224 paths of at most 30 steps, 140 can run\.$/);
  const before = refused;
  await idle();
  await until(() => refused > before);
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
  await page.locator("table.paths").getByText("24,434").waitFor({ timeout: 60_000 });
  missing = false;
  await tab(page, "Explain");
  await bar(page, "Run").click();
  await explained(page);
  await context.close();
});

test("a panic in the later part is told with its text, and the worker is replaced", async () => {
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
    await bar(page, "Run").click();
    await page.waitForFunction(
      () => document.querySelector('.explain-pane[aria-busy="false"]')?.querySelector(".prefixes li, .mark.bad"),
      null,
      { timeout: 60_000 },
    );
  }
  await explained(page);
  await context.close();
});
