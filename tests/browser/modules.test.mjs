// The engine's later part: loaded when the page is idle or when a question needs it, and missed only by such questions.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bar, count, drawn, launch, tab, until, upToDate } from "./harness.mjs";

const WASM = "/split_later.wasm";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** Opens the page in a browser that is idle only when told so; what is asked of the server from then on. */
async function open({ later } = {}) {
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
  const from = site.asked.length;
  await page.goto(site.address);
  await drawn(page, 10);
  await upToDate(page);
  return {
    page,
    context,
    errors,
    idle: () => page.evaluate(() => window.__idle()),
    asked: () => site.asked.slice(from).filter((path) => path === WASM),
  };
}

const pruned = (page) => page.waitForFunction(() => document.querySelector("table.prune") && !document.querySelector(".run-state progress"), null, { timeout: 60_000 });
const explained = (page) => page.locator(".explain-pane .summary b").waitFor({ timeout: 60_000 });
const failed = (page) => page.locator(".explain-pane").getByText("The engine could not be loaded").waitFor({ timeout: 20_000 });

test("the later part is loaded without being asked for, once the page is idle", async () => {
  const { page, context, errors, idle, asked } = await open();
  await tab(page, "Paths");
  assert.deepEqual(await count(page, "30"), [["30", "1,224", "140", "11.4 %"]]);
  await idle();
  await until(() => asked().includes(WASM));
  await tab(page, "Prune");
  await pruned(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a page that was never idle loads it with the first question that needs it, and once for each engine", async () => {
  const { page, context, errors, asked } = await open();
  await tab(page, "Explain");
  await explained(page);
  // The engine for long runs has found prefixes, the quick one explains the first of them.
  await page.locator(".reason-pane .regex code").waitFor({ timeout: 30_000 });
  const loaded = asked().length;
  assert.ok(loaded >= 2, "by the engine for long runs and by the quick one");
  await page.getByRole("button", { name: "Check the evidence" }).first().click();
  await page.getByText("claims hold.").waitFor({ timeout: 60_000 });
  assert.equal(asked().length, loaded);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a later part that is missing is told by the question that needs it, not by others; the next one tries again", async () => {
  let missing = true;
  let refused = 0;
  const later = (route) => (missing ? (refused++, route.fulfill({ status: 404 })) : route.continue());
  const { page, context, idle } = await open({ later });
  await idle();
  await until(() => refused >= 1);
  await tab(page, "Paths");
  assert.deepEqual(await count(page, "30"), [["30", "1,224", "140", "11.4 %"]]);
  assert.equal(await page.getByText("could not be loaded").count(), 0);
  await tab(page, "Explain");
  await failed(page);
  assert.match(await page.locator(".notice.error").textContent(), /^The engine could not be loaded: a part of it was not found.*The next question tries again/);
  assert.ok(refused >= 2, "the question tried again");
  await tab(page, "Paths");
  await count(page, "50");
  await page.locator("table.paths").getByText("24,434").waitFor({ timeout: 60_000 });
  missing = false;
  await tab(page, "Explain");
  await bar(page, "Run").click();
  await explained(page);
  await context.close();
});
