// The Prune tab: the red–black graph step by step, the transformed graph, the counts.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import {
  cancelled,
  changes,
  closeSettings,
  downloaded,
  drawn,
  figure,
  idle,
  launch,
  longestBlock,
  nightly,
  open,
  openSettings,
  pathsView,
  setProgram,
  settings,
  tab,
  until,
  upToDate,
  violations,
} from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const button = (page, name) => page.getByRole("button", { name, exact: true });
const pane = (page) => page.locator(".prune-pane");
const details = (page) => page.locator(".prune-pane .details");
const sentence = (page) => page.locator(".stepper .sentence").textContent();
const slider = (page) => page.getByRole("slider", { name: "Step of the construction" });
const steps = async (page) => Number(await slider(page).getAttribute("max"));
const goTo = (page, step) => slider(page).fill(String(step));
const living = (page) => page.locator(".red-graph [data-slot]:not(.off)").count();
const finished = (page) => page.locator("table.prune tbody tr").first().waitFor();

/** Does what starts a run and waits for its end. */
async function ran(page, act) {
  await page.evaluate(() => {
    const pane = document.querySelector(".prune-pane");
    window.__ran = new Promise((resolve) => {
      let began = false;
      const watch = new MutationObserver(() => {
        const busy = pane.getAttribute("aria-busy") === "true";
        began ||= busy;
        if (!began || busy) return;
        watch.disconnect();
        resolve();
      });
      watch.observe(pane, { attributes: true, attributeFilter: ["aria-busy"] });
    });
  });
  await act();
  await page.evaluate(() => window.__ran);
}

async function choose(page, { abstraction, ...fields }) {
  await openSettings(page);
  if (abstraction) await page.getByLabel("Abstraction").selectOption(abstraction);
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
}

/** Opens the tab, which runs by itself, and runs again if there are settings. */
async function prune(page, chosen) {
  await upToDate(page);
  await tab(page, "Prune");
  await finished(page);
  if (!chosen) return;
  await choose(page, chosen);
  await ran(page, () => button(page, "Analyse").click());
}

/** The picture as a file: its name and text. */
async function saved(page) {
  await pane(page).getByRole("button", { name: "Save", exact: true }).first().click();
  const [download] = await Promise.all([page.waitForEvent("download"), pane(page).getByRole("button", { name: "SVG" }).first().click()]);
  return { name: download.suggestedFilename(), text: String(await downloaded(download)) };
}

const counts = (page) =>
  page.locator("table.prune tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));

test("opening the tab shows the merging sort's graph and counts at once", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await drawn(page, 10);
  // As for a user that reads before clicking: both engines are loaded by then.
  await until(() => page.workers().length > 1, "both engines are loaded");
  await idle(page);
  const ms = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const began = performance.now();
        const look = () => {
          if (document.querySelector("table.prune tbody tr") && document.querySelector(".red-graph [data-slot]:not(.off)"))
            requestAnimationFrame(() => resolve(performance.now() - began));
          else requestAnimationFrame(look);
        };
        document.getElementById("tab-prune").click();
        look();
      }),
  );
  figure("the merging sort is drawn and counted after opening the tab", ms);
  // All of it on one screen: the tree, S, S′, the table and the chart.
  await page.waitForFunction(
    () => document.querySelectorAll(".of-pruned .node").length === 58 && document.querySelectorAll(".of-S .node").length === 14,
  );
  for (const part of [".red-graph [data-slot='0']", ".of-S .node >> nth=0", ".of-pruned .node >> nth=0", "table.prune", ".chart svg"]) {
    const box = await pane(page).locator(part).first().boundingBox();
    assert.ok(box && box.y > 0 && box.y + box.height <= 800 && box.x + box.width <= 1280, `${part} is not in view: ${JSON.stringify(box)}`);
  }
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the merging sort is pruned to its feasible paths, and its graph grows in place", async () => {
  const { page, context, errors } = await open(site);
  await prune(page, { Lookahead: "2" });
  await button(page, "Red–black graph").click();
  assert.deepEqual(await violations(page), []);

  const root = () => page.locator(".red-graph [data-slot='0']").evaluate((e) => (({ x, y }) => `${x} ${y}`)(e.getBoundingClientRect()));
  const whole = await living(page);
  const before = await root();
  await button(page, "First step").click();
  assert.equal(await living(page), 0);
  await button(page, "Step on").click();
  assert.match(await sentence(page), /^Start: red vertex 0·\d/);
  await page.keyboard.press("ArrowRight");
  assert.match(await sentence(page), /^Unfolding: edge 0, ia = 0, leads from 0·/);
  assert.equal(await living(page), 2);
  assert.equal(await root(), before);
  await page.keyboard.press("End");
  assert.equal(await living(page), whole);
  await button(page, "Collapse closed subtrees").click();
  assert.ok((await living(page)) < whole);
  await button(page, "Collapse closed subtrees").click();
  await button(page, "First step").click();
  // The time of the timers, which the test then lets pass.
  await page.clock.install();
  await button(page, "Play").click();
  await page.waitForFunction(() => Number(document.querySelector(".stepper input").value) > 3);
  await button(page, "Pause").click();
  const paused = await slider(page).inputValue();
  await page.clock.runFor(5_000);
  assert.equal(await slider(page).inputValue(), paused);

  await button(page, "Path counts").click();
  assert.deepEqual((await counts(page)).slice(2), [
    ["30", "1,224", "140", "11.4 %", "140"],
    ["50", "24,434", "2,300", "9.41 %", "2,300"],
  ]);
  assert.equal(await page.locator(".chart .kept .diamond").count(), 4);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the walk-through of the docs page is what the stepper says", async () => {
  const text = await readFile(new URL("../../web/docs/prune.md", import.meta.url), "utf8");
  const rows = [
    ...text
      .split("## The merging sort, step by step")[1]
      .split("\n## ")[0]
      .matchAll(/^\| (\d+) \| ([^|]+) \|/gm),
  ];
  assert.ok(rows.length >= 15, `${rows.length} steps`);
  const { page, context, errors } = await open(site);
  await prune(page, { abstraction: "drop", Lookahead: "0" });
  // The pictures of that page; UPDATE=1 makes them.
  for (const [view, name] of [
    ["S and S′", "prune-pruned"],
    ["Red–black graph", "prune-red"],
  ]) {
    await button(page, view).click();
    if (name === "prune-pruned") await page.waitForFunction(() => document.querySelectorAll(".of-pruned .node").length === 19);
    const text = await saved(page);
    const file = new URL(`../../web/docs/${name}.svg`, import.meta.url);
    if (process.env.UPDATE) await writeFile(file, text.text);
    const drawn = (svg) => svg.replace(/<style>.*?<\/style>/s, "");
    assert.equal(drawn(await readFile(file, "utf8")), drawn(text.text), `${name}: UPDATE=1 makes it anew`);
  }
  assert.equal(await steps(page), Number(/The construction has (\d+) steps/.exec(text)[1]));
  for (const [, step, said] of rows) {
    await goTo(page, step);
    assert.equal((await sentence(page)).trim(), said.trim(), `step ${step}`);
  }
  // Before the restart, at the end of the path that led to it.
  await goTo(page, 24);
  await page.locator(".red-graph .red.at").click();
  assert.match(
    await details(page).textContent(),
    /Red vertex 9·1.*Configuration stack: 4 configurations, 2 of them carried on from the abstractions of 2·0.*Abstracted to contain 9·2: kept lb <= ib, forgot ia < la.*Limiting predicate Φ: true/s,
  );
  await goTo(page, 31);
  assert.match(await details(page).textContent(), /Limiting predicate Φ: ia < la/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a red vertex shows what is known there, its line, its black vertex and its place in S′", async () => {
  const { page, context, errors } = await open(site);
  await prune(page);
  await page.locator(".red-graph [data-slot].abstracted").first().click();
  assert.match(
    await details(page).textContent(),
    /^Red vertex 2·\d+: unfolded · black vertex \(location\) 2 · line \d+.*On top, at the end: .*Abstracted to contain 2·/,
  );
  assert.equal(await page.locator(".cm-line.cm-at").count(), 1);
  await page.waitForFunction(() => document.querySelectorAll(".of-pruned .node").length === 58);
  assert.match(await page.locator(".of-pruned .node.selected").textContent(), /^2·/);
  assert.equal(await page.locator(".of-S .node.selected").textContent(), "2");
  await page.keyboard.press("ArrowLeft");
  assert.match(await details(page).textContent(), /^Red vertex 6·/);
  assert.equal(await page.locator(".of-S .node.selected").textContent(), "6");
  // What is chosen in one tab marks no other.
  await tab(page, "Graph");
  await drawn(page, 10);
  assert.equal(await page.locator(".graph-pane .node.selected").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

/** Whether all that is drawn in a canvas lies within it. */
const fitted = (page, name) =>
  page.locator(`.of-${name}`).evaluate((canvas) => {
    const [outer, inner] = [canvas.getBoundingClientRect(), canvas.querySelector(".drawing").getBoundingClientRect()];
    return (
      inner.width > 0 && inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
    );
  });

test("S and S′ are fitted until they are moved, and a place says what holds there", async () => {
  const { page, context, errors } = await open(site);
  await prune(page);
  await button(page, "S and S′").click();
  await page.waitForFunction(() => document.querySelectorAll(".of-pruned .node").length === 58);
  for (const name of ["S", "pruned"]) await until(() => fitted(page, name), `${name} is not fitted`);
  await page.setViewportSize({ width: 1000, height: 640 });
  for (const name of ["S", "pruned"]) await until(() => fitted(page, name), `${name} is not fitted after a resize`);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (let i = 0; i < 6; i++) await button(page, "Zoom in").click();
  await until(async () => !(await fitted(page, "pruned")), "zooming in fits nothing");
  await button(page, "Fit").click();
  await until(() => fitted(page, "pruned"), "Fit fits it again");

  await page.locator(".of-pruned .node", { hasText: /^9·1$/ }).click();
  assert.match(
    await details(page).textContent(),
    /^Place 9·1 of S′ · black vertex \(location\) 9 · line 32.*Holds here: .*lb <= 0.*Cut here: ia >= la/,
  );
  assert.match(await page.locator(".cm-line.cm-at").textContent(), /while \(ia < la\)/);
  assert.equal(await page.locator(".of-S .node.selected").textContent(), "9");
  await page.locator(".of-S .node", { hasText: /^4$/ }).click();
  assert.match(await page.locator(".cm-line.cm-at").textContent(), /if \(nondet\(\)\)/);
  assert.equal(await page.locator(".of-pruned .node.selected").count(), 0);
  assert.deepEqual(await violations(page), []);

  // Both pictures as files.
  const pruned = await saved(page);
  assert.equal(pruned.name, "merge-merge-pruned.svg");
  assert.equal([...pruned.text.matchAll(/data-node=/g)].length, 58);
  await button(page, "Red–black graph").click();
  const red = await saved(page);
  assert.equal(red.name, "merge-merge-red.svg");
  assert.equal([...red.text.matchAll(/data-slot=/g)].length, await living(page));
  assert.match(red.text, /\.red-graph \.body/);
  assert.doesNotMatch(red.text, /var\(--/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the evidence of the pruned merging sort is accepted", async () => {
  const { page, context, errors } = await open(site);
  await prune(page);
  await tab(page, "Proofs");
  await page.locator(".sources li", { hasText: "Pruned graph of merge" }).getByRole("button", { name: "Check" }).click();
  await page
    .getByText(/claim holds\b/)
    .or(page.getByText(/claims hold\b/))
    .waitFor();
  assert.equal(await page.locator("li.rejected").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("paths are drawn from S, from S′ and from the feasible ones, and stand in both graphs", async () => {
  const { page, context, errors } = await open(site);
  await prune(page);
  await button(page, "S and S′").click();
  await button(page, "Draw paths…").click();
  await openSettings(page);
  const from = page.getByLabel("From", { exact: true });
  assert.equal(await from.inputValue(), "pruned");
  await closeSettings(page);
  await pathsView(page, "Count");
  // The table of the first visit comes first, so that the drawing does not cut it off.
  await page.waitForFunction(() => document.querySelector("table.paths:not(.prune) tbody td:nth-child(3)")?.textContent === "5");
  await pathsView(page, "Draw");
  await openSettings(page);
  const fates = async () => {
    const title = await from.evaluate((select) => select.selectedOptions[0].textContent);
    await closeSettings(page);
    await button(page, "Analyse").click();
    await page.waitForFunction(
      (title) =>
        document.querySelector(".paths-pane .summary")?.textContent.includes(title.replace("all ", "")) &&
        document.querySelectorAll("ol.drawn > li").length === 12 &&
        !document.querySelector(".paths-pane .run-state progress"),
      title,
    );
    return {
      said: await page.locator(".paths-pane .summary").textContent(),
      yes: await page.locator("ol.drawn > li.yes").count(),
      no: await page.locator("ol.drawn > li.no").count(),
    };
  };
  const pruned = await fates();
  assert.match(pruned.said, /12 paths drawn from 140 paths of S′/);
  assert.deepEqual([pruned.yes, pruned.no], [12, 0]);
  assert.match(await page.locator("ol.drawn > li.yes .evidence").first().textContent(), /la = \d+/);
  assert.deepEqual(await violations(page), []);
  await openSettings(page);
  await from.selectOption("feasible");
  const feasible = await fates();
  assert.match(feasible.said, /12 paths drawn from 140 feasible paths/);
  assert.deepEqual([feasible.yes, feasible.no], [12, 0]);
  await openSettings(page);
  await from.selectOption("all");
  const all = await fates();
  assert.match(all.said, /12 paths drawn from 1,224 paths of S/);
  assert.ok(all.no > 0 && all.yes > 0, JSON.stringify(all));
  await page.locator("ol.drawn > li.no > button").first().click();
  assert.ok((await page.locator(".cm-line.cm-passed, .cm-line.cm-at").count()) > 0);
  // The Prune tab marks it on request, not by itself.
  await tab(page, "Prune");
  assert.equal(await page.locator(".path-bar").count(), 0);
  await tab(page, "Paths");
  await button(page, "In S′").click();
  await page.waitForFunction(() => document.querySelectorAll(".of-pruned .node").length === 58);
  assert.match(await details(page).textContent(), /is not in S′: after \d+ edges, at \d+·\d+, its next edge is cut: /);
  assert.ok((await page.locator(".of-S .edge.dead").count()) === 1 && (await page.locator(".of-pruned .edge.on-path").count()) > 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the settings are in the link; a run that is cancelled keeps what it has", async () => {
  const { page, context, errors } = await open(site);
  await prune(page);
  await choose(page, { abstraction: "havoc", Lookahead: "3", "Max red length": "25" });
  await button(page, "Copy link").click();
  await page.waitForFunction(() => location.hash !== "");
  const { page: other, context: second } = await open(site, { hash: await page.evaluate(() => location.hash) });
  await finished(other);
  assert.match(await settings(other).getAttribute("title"), /^havoc · lookahead 3 · restarts · max red length 25$/);
  await choose(other, {});
  assert.deepEqual(await Promise.all(["Abstraction", "Lookahead", "Max red length"].map((label) => other.getByLabel(label).inputValue())), [
    "havoc",
    "3",
    "25",
  ]);
  await second.close();

  await choose(page, { Precondition: "n >" });
  await button(page, "Analyse").click();
  await page.locator(".run-state .bad", { hasText: "precondition" }).waitFor();
  await choose(page, { Precondition: "" });

  // Nonlinear counting up never repeats a state: the construction goes on until it is stopped.
  await setProgram(
    page,
    "void f(int n) {\n  int i = 0;\n  int s = 1;\n  while (s < n) {\n    i = i + 1;\n    s = s + i + s;\n  }\n  while (i > 0) {\n    i = i - 1;\n    if (s == 77 * i) s = 0;\n  }\n}\n",
  );
  await upToDate(page);
  await choose(page, { abstraction: "drop", Lookahead: "60", "Max red length": "" });
  await button(page, "Analyse").click();
  await page.waitForFunction(() => Number(document.querySelector(".stepper input")?.max) > 10);
  await button(page, "Cancel").click();
  await cancelled(page);
  assert.ok((await steps(page)) > 10);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a run that its limit held back shows what it has, says so, and goes on; a long construction is stepped through smoothly", {
  skip: !nightly && "./dev nightly does it",
}, async () => {
  const { page, context, errors } = await open(site);
  await prune(page);
  // One restart leads to the next, until the share of the steps is used.
  await choose(page, { abstraction: "havoc", Lookahead: "2" });
  await button(page, "Analyse").click();
  const goOn = page.getByRole("button", { name: "Go on, up to 50,000,000 steps" });
  await goOn.waitFor();
  assert.match(
    await page.locator(".prune-pane .top").textContent(),
    /What was asked for did not come to an end within its share of 5,000,000 steps\. This was built with a lookahead of 2, without restarts\./,
  );
  assert.deepEqual(await violations(page), []);
  assert.ok((await steps(page)) > 5_000, String(await steps(page)));
  // The attempt that did not come to an end grew much larger than what was taken in the end.
  const taken = await living(page);
  await goTo(page, 5000);
  assert.ok(taken > 50 && (await living(page)) > 5 * taken, `${taken}, before it ${await living(page)}`);
  const block = await longestBlock(page, async () => {
    for (let i = 0; i < 20; i++) await button(page, "Step back").click();
    await goTo(page, 3000);
    await goTo(page, 5000);
  });
  figure("stepping through thousands of steps: longest block", block);
  await goOn.click();
  await page.locator(".run-state progress").waitFor();
  await page.getByText("of at most 50,000,000 steps").waitFor();
  await button(page, "Cancel").click();
  await cancelled(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a run that reaches its limit shows what it has, says which limit, and goes on", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, await readFile(new URL("../../examples/bubble_arrays.c", import.meta.url), "utf8"));
  await prune(page);
  await choose(page, { Lengths: "30,100" });
  await button(page, "Analyse").click();
  const goOn = page.getByRole("button", { name: "Go on, up to 50,000,000 steps" });
  await goOn.waitFor();
  assert.match(await page.locator(".run-state").first().textContent(), /Open: the limit of 5000000 steps was reached/);
  const [, last] = await counts(page);
  assert.match(last.at(-1), /^\? at least \d/);
  assert.ok((await living(page)) > 50);
  await goOn.click();
  await page.getByText("of at most 50,000,000 steps").waitFor();
  await button(page, "Cancel").click();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a precondition holds for S′, for what is drawn from it, and in the evidence of both", async () => {
  const { page, context, errors } = await open(site);
  await prune(page, { Precondition: "la <= 0" });
  assert.deepEqual((await counts(page)).at(-1), ["50", "24,434", "23", "23"]);
  await button(page, "S and S′").click();
  await button(page, "Draw paths…").click();
  await openSettings(page);
  await page.getByText("precondition la <= 0").waitFor();
  await closeSettings(page);
  await button(page, "Analyse").click();
  await page.getByText("12 paths drawn from 13 paths of S′").waitFor();
  for (const input of await page.locator("ol.drawn > li.yes .evidence").allTextContents()) assert.match(input, /la = (0|-\d+)/);
  await tab(page, "Proofs");
  for (const name of ["Pruned graph of merge", "Drawn paths of merge"]) {
    await page.locator(".sources li", { hasText: name }).getByRole("button", { name: "Check" }).click();
    await page.locator(".check-pane h2", { hasText: name }).waitFor();
    await page.getByText(/claims? holds?\./).waitFor();
    assert.equal(await page.locator("li.rejected").count(), 0, name);
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("two thousand red vertices are stepped through smoothly", async () => {
  const { page, context, errors } = await open(site);
  // Free choices in a row: each doubles the unfolding, and no two states are alike.
  const choices = Array.from({ length: 10 }, (_, i) => `  if (nondet()) x = x + ${2 ** i};\n`).join("");
  await setProgram(page, `int nondet(void);\nint f(int x) {\n${choices}  return x;\n}\n`);
  await prune(page);
  assert.ok((await living(page)) > 2000, String(await living(page)));
  let block;
  const changed = await changes(page, async () => {
    block = await longestBlock(page, async () => {
      for (let i = 0; i < 20; i++) await button(page, "Step back").click();
    });
  });
  figure("twenty steps back from two thousand red vertices: longest block", block);
  // A few for each step, and not one for each vertex.
  assert.ok(changed < 1000, `${changed} changes`);
  // What is out of view is not painted; moved into view, it is; and a saved picture has all of it.
  const painted = () => page.locator(".red-graph [data-slot]:not(.off):not(.away)").count();
  const near = await painted();
  assert.ok(near > 1 && near < 1500, String(near));
  const whole = await saved(page);
  assert.ok(!whole.text.includes(" away") && [...whole.text.matchAll(/data-slot=/g)].length === (await living(page)));
  await pane(page).getByRole("button", { name: "Fit" }).first().click();
  await until(async () => (await painted()) === (await living(page)), "all of it is painted");
  assert.deepEqual(errors, []);
  await context.close();
});

test("of a construction too large to be drawn the beginning is shown, and the page says so", async () => {
  const { page, context, errors } = await open(site);
  const choices = Array.from({ length: 11 }, (_, i) => `  if (nondet()) x = x + ${2 ** i};\n`).join("");
  await setProgram(page, `int nondet(void);\nint f(int x) {\n${choices}  return x;\n}\n`);
  await prune(page);
  assert.equal(await steps(page), 6000);
  assert.match(await page.locator(".stepper").textContent(), /The construction took more steps: only the first 6,000 are shown here\./);
  assert.match(await page.locator(".prune-pane .summary").textContent(), /^6,142 red vertices/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("on a phone the picture is in view at once", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await upToDate(page);
  await tab(page, "Prune");
  await page.locator(".red-graph [data-slot]:not(.off)").first().waitFor();
  const canvas = await page.locator(".prune-pane .canvas").boundingBox();
  assert.ok(canvas.y < 844 * 0.45 && canvas.height > 220 && canvas.y + canvas.height < 844, JSON.stringify(canvas));
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});
