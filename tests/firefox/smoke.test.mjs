// The page in Firefox: it opens, answers, shows each tab with a result, steps, and a link brings back what is looked at.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { dist } from "../browser/harness.mjs";
import { serve } from "../browser/serve.mjs";
import { launchFirefox } from "./bidi.mjs";

let server;
let firefox;
before(async () => {
  server = await serve(dist);
  firefox = await launchFirefox();
  console.log(firefox.version);
});
after(async () => {
  await firefox?.close();
  await server?.close();
});

const found = (selector) => `document.querySelector(${JSON.stringify(selector)})`;
const text = (selector) => firefox.evaluate(`${found(selector)}?.innerText.trim()`);
const answered = () => firefox.holds(`${found(".answer")}?.dataset.done === "true"`);
/** A button of the bar, by its name. */
const button = (name) =>
  `[...document.querySelectorAll("header button, header a")].find((e) => e.textContent.trim() === ${JSON.stringify(name)})`;

/** What each tab has once it has a result. */
const RESULTS = {
  report: ".report-pane .sentence",
  graph: ".graph-pane .canvas [data-edge]",
  paths: "table.paths tbody tr",
  run: ".run-pane .summary .badge",
  check: ".check-pane .sources li",
  prune: ".red-graph [data-slot]:not(.off)",
  explain: ".prefixes li.chosen, .explain-pane .muted",
  cover: ".cover-pane .summary .badge",
  branches: ".branches-pane .summary .badge",
};

test("the page opens with the answer and its reason", async () => {
  await firefox.open(server.address);
  await answered();
  assert.match(await text(".answer"), /^2 of 8 branches can never run\b/);
  await firefox.holds(`${found(".report-pane .kind.finding")}?.checkVisibility()`);
  assert.deepEqual(firefox.errors, []);
});

test("each tab has a result", async () => {
  await firefox.open(`${server.address}#merge.graph`);
  await answered();
  for (const [id, result] of Object.entries(RESULTS)) {
    await firefox.click(found(`#tab-${id}`));
    await firefox.holds(`${found(`#panel-${id}:not([hidden])`)} && ${found(result)}?.checkVisibility()`);
    await firefox.holds(`!${found(`#panel-${id} .run-state progress`)}`);
  }
  // Reach is asked for a line.
  await firefox.click(found("#tab-reach"));
  await firefox.click(found(".reach-pane input.target"));
  for (const key of ["3", "6", "\uE007"]) await firefox.press(key);
  await firefox.holds(found(".reach-verdict"));
  assert.match(await text(".reach-verdict"), /Line 36 is reached/);
  assert.deepEqual(firefox.errors, []);
});

test("keys and buttons step, and a link brings back the tab and the step", async () => {
  await firefox.open(`${server.address}#merge.graph`);
  await answered();
  await firefox.click(found("#tab-prune"));
  await firefox.holds(`${found(".prune-pane")}?.getAttribute("aria-busy") === "false" && ${found(".stepper")}?.checkVisibility()`);
  const step = () => text(".stepper .count");
  await firefox.click(found('.stepper [aria-label="First step"]'));
  await firefox.holds(`${found(".stepper .count")}.innerText.trim().startsWith("0")`);
  await firefox.click(found('.stepper [aria-label="Step on"]'));
  await firefox.press("\uE014");
  await firefox.holds(`${found(".stepper .count")}.innerText.trim().startsWith("2")`);
  const before = await step();
  await firefox.click(button("Copy link"));
  await firefox.holds(`location.hash.startsWith("#v1.")`);
  const link = await firefox.evaluate("location.href");
  await firefox.open(`${server.address}docs/index.html`);
  await firefox.open(link);
  await firefox.holds(`${found("#tab-prune")}?.getAttribute("aria-selected") === "true" && ${found(".stepper .count")}?.checkVisibility()`);
  await firefox.holds(`${found(".stepper .count")}.innerText.trim() === ${JSON.stringify(before)}`);
  assert.deepEqual(firefox.errors, []);
});
