// The page as a person uses it, with the engine in it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import {
  answered,
  bar,
  cancelled,
  changes,
  closeSettings,
  copiedBy,
  count,
  downloaded,
  draw,
  drawn,
  figure,
  holding,
  keeps,
  launch,
  open,
  openSettings,
  pathsView,
  refused,
  run,
  setProgram,
  tab,
  typing,
  until,
  upToDate,
  violations,
} from "./harness.mjs";

const LOOP = "int f(int n) {\n  int i = 0;\n  while (i < n) {\n    i = i + 1;\n  }\n  return i;\n}\n";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const edges = (page) => page.locator(".canvas .graph .edge").count();
const said = (page) => page.locator(".notice").allTextContents();

test("the page opens with an example's graph, quietly and from its own host only", async () => {
  const started = performance.now();
  const { page, context, errors, outside } = await open(site);
  await drawn(page, 10);
  const graph = performance.now() - started;
  await upToDate(page);
  figure("cold, until merge's graph is drawn", graph);
  assert.ok((await page.locator(".cm-content").textContent()).includes("merge"));
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  await context.close();
});

test("editing the program changes the graph", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await setProgram(page, LOOP);
  await page.waitForFunction(() => document.querySelectorAll(".canvas .graph .edge").length < 10);
  assert.equal(await edges(page), 4);
  assert.equal(await page.locator(".canvas .node.loop").count(), 1);
  assert.equal(await page.locator(".canvas .node.entry").count(), 1);
  assert.equal(await page.locator(".canvas .node.exit").count(), 1);
  assert.equal(await page.locator(".canvas .edge.yes").count(), 1);
  assert.equal(await page.locator(".canvas .edge.no").count(), 1);
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.keyboard.type("int g(int x) { if (x) return 1; return 2; }");
  await page.getByLabel("Function").waitFor();
  await page.getByLabel("Function").selectOption("f");
  await page.waitForFunction(() => document.querySelectorAll(".canvas .graph .edge").length === 4);
  assert.deepEqual(errors, []);
  await context.close();
});

test("merge's table: 1,224 paths of at most 30 edges, 140 of them feasible", async () => {
  const started = performance.now();
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await tab(page, "Paths");
  await page.waitForSelector("table.paths");
  const rows = await count(page, "30");
  figure("cold, until merge's table is complete", performance.now() - started);
  assert.deepEqual(rows, [["30", "1,224", "140", "11.4 %"]]);
  const [first, second] = await count(page, "10,20");
  assert.equal(first[0], "10");
  assert.equal(second[0], "20");
  assert.ok(
    await page
      .locator(".chart svg desc")
      .textContent()
      .then((text) => text.includes("length 20")),
  );
  await openSettings(page);
  await page.getByLabel("Lengths").fill("10,,x");
  assert.ok(await bar(page, "Analyse").isDisabled());
  assert.ok(await page.getByRole("alert").filter({ hasText: "empty place" }).isVisible());
  assert.deepEqual(errors, []);
  await context.close();
});

/** Milliseconds from a press of Analyse until the report is there again. */
const reported = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const pane = document.querySelector(".report-pane");
        const began = performance.now();
        let busy = false;
        const watching = new MutationObserver(() => {
          busy ||= pane.getAttribute("aria-busy") === "true";
          if (!busy || pane.getAttribute("aria-busy") === "true") return;
          watching.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - began));
        });
        watching.observe(pane, { attributes: true, attributeFilter: ["aria-busy"] });
        document.querySelector("header button.run").click();
      }),
  );
const REPORT = '.report-pane[aria-busy="false"] .sentence';

test("the report of the merging sort is made cold and again, and keys come between while one is made", async () => {
  const { page, context, errors } = await open(site, { hash: "#merge" });
  // By the page's own clock, which begins with the load.
  const now = () => page.evaluate(() => performance.now());
  figure("cold, until the editor is there", await now());
  await answered(page);
  figure("cold, until merge's answer", await now());
  await page.locator(REPORT).waitFor();
  figure("cold, until merge's report is complete", await now());
  assert.match(await page.locator(REPORT).innerText(), /^All 10 branches can run/);
  await reported(page);
  figure("warm, merge's report", await reported(page));
  assert.deepEqual(errors, []);
  await context.close();

  const long = await open(site, { hash: "#handshake" });
  await upToDate(long.page);
  await long.page.locator(".cm-content").click();
  await long.page.keyboard.press("ControlOrMeta+End");
  await long.page.locator('.report-pane[aria-busy="true"]').waitFor();
  await typing(long.page, "// note", "while a report runs");
  assert.deepEqual(long.errors, []);
  await long.context.close();
});

/** In the page: notes keys, questions about a new text and workers that start, in their order. */
function noteWork() {
  const work = (window.__work = []);
  addEventListener("keydown", () => work.push("key"), { capture: true });
  const { Worker } = window;
  window.Worker = class extends Worker {
    constructor(...of) {
      super(...of);
      work.push("worker");
    }
    postMessage(message, ...rest) {
      if (message?.question?.name === "cfg") work.push("question");
      super.postMessage(message, ...rest);
    }
  };
}

test("keys while a report and the answer are worked out start no worker and change little beside the editor", async () => {
  const { page, context, errors } = await open(site, { hash: "#merge" });
  await page.addInitScript(noteWork);
  await holding(page, ["report", "cover"]);
  await page.reload();
  await upToDate(page);
  await page.locator('.report-pane[aria-busy="true"]').waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.evaluate(() => void (window.__work.length = 0));
  const changed = await changes(page, async () => {
    await page.keyboard.type("// note");
    // The answer is worked out anew.
    await page.waitForFunction(() => window.__work.indexOf("worker", window.__work.lastIndexOf("question") + 1) > 0);
  });
  const work = await page.evaluate(() => window.__work);
  assert.ok(work.filter((what) => what === "key").length >= 7, work.join());
  // Workers that the first key ended start again once the pause after the last one has brought a question about the text.
  const early = work.filter((what, at) => what === "worker" && !work.slice(work.lastIndexOf("key", at), at).includes("question"));
  assert.deepEqual(early, [], work.join());
  assert.ok(changed < 80, `${changed} changes`);
  assert.deepEqual(errors, []);
  await context.close();
});

const MEET = "int f(int *p, int *q, int x) {\n  *p = 1;\n  *q = 2;\n  if (*p == 2) return 1;\n  return x;\n}\n";

test("what counts and drawn paths assume stands beside them", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await setProgram(page, MEET);
  await upToDate(page);
  await tab(page, "Paths");
  assert.deepEqual(await count(page, "10"), [["10", "2", "1", "50 %"]]);
  const says = /^Assuming: pointer parameters .* distinct-parameters\W*$/;
  assert.match(await page.locator(".paths-pane .assumes").innerText(), says);
  await draw(page);
  await page.getByText("12 paths drawn").waitFor();
  assert.deepEqual(new Set(await page.locator("ol.drawn > li.no .length").allTextContents()), new Set(["if distinct-parameters"]));
  assert.ok((await page.locator("ol.drawn > li.yes .length").allTextContents()).every((text) => /^\d edges$/.test(text)));
  await page.locator("ol.drawn > li.no > button").first().click();
  assert.match(await page.locator("ol.drawn .assumes").textContent(), says);
  assert.deepEqual(errors, []);
  await context.close();
});

test("drawn paths show a replayed input or where they die, and can be walked", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await tab(page, "Paths");
  await draw(page, { Number: "40" });
  await page.getByText("40 paths drawn").waitFor();
  const feasible = page.locator("ol.drawn > li.yes");
  const infeasible = page.locator("ol.drawn > li.no");
  assert.equal((await feasible.count()) + (await infeasible.count()), 40);
  assert.match(await feasible.first().textContent(), /✓ feasible.*la = -?\d+/);
  assert.match(await infeasible.first().textContent(), /✕ infeasible.*dies at step \d+ of \d+: .*\(line \d+\)/);
  await infeasible.first().getByRole("button").first().click();
  assert.ok(await page.getByText(/No input passes/).isVisible());
  const bar = page.locator(".path-bar");
  assert.match(await bar.textContent(), /here no input is left/);
  await page.keyboard.press("ArrowLeft");
  assert.doesNotMatch(await bar.textContent(), /here no input is left/);
  assert.equal(await page.locator(".cm-line.cm-at").count(), 1);
  await page.getByRole("button", { name: "In the graph" }).click();
  assert.equal(await page.locator(".canvas .edge.at").count(), 1);
  assert.equal(await page.locator(".canvas .edge.dead").count(), 1);
  assert.ok((await page.locator(".canvas .edge.on-path").count()) > 2);
  await page.getByRole("button", { name: "Leave the path" }).click();
  assert.equal(await page.locator(".canvas .edge.on-path").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the same seed draws the same paths, feasible ones only on request", async () => {
  const texts = [];
  for (let i = 0; i < 2; i++) {
    const { page, context } = await open(site);
    await drawn(page, 10);
    await tab(page, "Paths");
    await draw(page, { Seed: "7", From: "feasible", Number: "5" });
    await page.getByText("5 paths drawn").waitFor();
    assert.equal(await page.locator("ol.drawn > li.yes").count(), 5);
    texts.push(await page.locator("ol.drawn").textContent());
    await context.close();
  }
  assert.equal(texts[0], texts[1]);
});

test("a link brings back program, tab and settings", async () => {
  const first = await open(site);
  await setProgram(first.page, LOOP);
  await upToDate(first.page);
  await tab(first.page, "Paths");
  await count(first.page, "7,9");
  await draw(first.page, { Seed: "99" });
  const link = await copiedBy(first.page, () => first.page.getByRole("button", { name: "Copy link" }).click());
  await first.page.getByText("Link copied").waitFor();
  assert.match(link, /#v1\.[A-Za-z0-9_-]+$/);
  assert.equal(link, first.page.url());
  await first.context.close();

  const second = await open(site, { hash: new URL(link).hash });
  // It was left at the drawn paths.
  await second.page.locator('.paths-pane .views [aria-pressed="true"]', { hasText: "Draw" }).waitFor();
  await pathsView(second.page, "Count");
  await second.page.waitForSelector("table.paths tbody tr");
  await openSettings(second.page);
  assert.equal(await second.page.getByLabel("Lengths").inputValue(), "7,9");
  await closeSettings(second.page);
  await pathsView(second.page, "Draw");
  await openSettings(second.page);
  assert.equal(await second.page.getByLabel("Seed", { exact: true }).inputValue(), "99");
  assert.match(await second.page.locator(".cm-content").textContent(), /int f\(int n\)/);
  assert.deepEqual(second.errors, []);
  await second.context.close();
});

test("how deep recursion is inlined is chosen where there is some, and travels in links", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  const depth = page.getByLabel("Recursion");
  assert.equal(await depth.count(), 0);
  await setProgram(page, "int sum(int n) {\n  if (n > 0)\n    return n + sum(n - 1);\n  return 0;\n}\n");
  await depth.waitFor();
  assert.equal(await depth.inputValue(), "8");
  const edges = async () => {
    await upToDate(page);
    return Number(/([\d,]+) edges/.exec(await page.locator(".graph-pane, #panel-graph").first().innerText())[1].replaceAll(",", ""));
  };
  const usual = await edges();
  const choose = async (text) => {
    await depth.fill(text);
    await depth.press("Enter");
  };
  await choose("2");
  await page.waitForFunction((before) => !document.querySelector("#panel-graph").innerText.includes(`${before} edges`), usual);
  const few = await edges();
  assert.ok(few < usual, `${few} and ${usual} edges`);
  await page.locator(".problems").getByText("deep within itself").first().waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const second = await open(site, { hash: new URL(page.url()).hash });
  await second.page.getByLabel("Recursion").waitFor();
  assert.equal(await second.page.getByLabel("Recursion").inputValue(), "2");
  assert.match(await second.page.locator("#panel-graph").innerText(), new RegExp(`${few} edges`));
  // What is no such number is not taken; more than fits is cut, and that is said.
  await choose("-1");
  assert.equal(await depth.inputValue(), "2");
  await choose("1000");
  await page.locator(".depth .cut").waitFor();
  assert.match(await page.locator(".depth .cut").innerText(), /^only \d+$/);
  assert.equal(await page.locator(".notice.error").count(), 0);
  // An example begins as usual again.
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-list button").first().click();
  await upToDate(page);
  assert.equal(await depth.count(), 0);
  assert.deepEqual([...errors, ...second.errors], []);
  await second.context.close();
  await context.close();
});

test("damaged and newer links are refused, and the program stays", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, LOOP);
  await upToDate(page);
  for (const [hash, message] of [
    ["#v1.abc", "damaged"],
    ["#v9.abc", "newer version"],
  ]) {
    await page.evaluate((h) => {
      location.hash = h;
    }, hash);
    await page.locator(".notice.error", { hasText: message }).waitFor();
    assert.match(await page.locator(".cm-content").textContent(), /int f\(int n\)/);
  }
  assert.deepEqual(errors, []);
  await context.close();
  const cold = await open(site, { hash: "#v1.abc" });
  await cold.page.locator(".notice.error", { hasText: "damaged" }).waitFor();
  assert.match(await answered(cold.page), /^2 of 8 branches/);
  await cold.context.close();
});

test("what was typed is there after a reload; a link does not lose it", async () => {
  const { page, context } = await open(site);
  await setProgram(page, LOOP);
  await upToDate(page);
  await page.reload();
  await upToDate(page);
  assert.match(await page.locator(".cm-content").textContent(), /int f\(int n\)/);
  const hash = await page.evaluate(async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ source: "int other(int x) { return x; }\n" }));
    const packed = await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
    return `#v1.${btoa(String.fromCharCode(...new Uint8Array(packed)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "")}`;
  });
  await page.evaluate((h) => {
    location.hash = h;
  }, hash);
  await page.getByText(/Opened from a link/).waitFor();
  assert.match(await page.locator(".cm-content").textContent(), /int other/);
  await page.reload();
  await page.getByText(/Opened from a link/).waitFor();
  await page.getByRole("button", { name: "Back to my own program" }).click();
  assert.match(await page.locator(".cm-content").textContent(), /int f\(int n\)/);
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.keyboard.type("// mine");
  assert.equal(new URL(page.url()).hash, "");
  await page.reload();
  await upToDate(page);
  assert.match(await page.locator(".cm-content").textContent(), /mine/);
  await context.close();
});

test("cancel keeps what was found, and the next run works", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  await tab(page, "Paths");
  await page.waitForSelector("table.paths");
  await openSettings(page);
  await page.getByLabel("Lengths").fill("10,20,2000,4000,6000,8000,10000");
  await run(page);
  await page.waitForFunction(
    () =>
      document.querySelectorAll("table.paths tbody tr").length === 7 &&
      !document.querySelector("table.paths tbody tr td")?.textContent.includes("…"),
  );
  await page.locator("header").getByRole("button", { name: "Cancel" }).click();
  await cancelled(page);
  const rows = await page.locator("table.paths tbody tr").allTextContents();
  assert.match(rows[0], /^10\d/);
  assert.match(rows[6], /not counted/);
  assert.deepEqual((await count(page, "30"))[0].slice(0, 2), ["30", "1,224"]);
  assert.deepEqual(errors, []);
  await context.close();
});

/** The engine with few steps for counting paths. */
const FEW_STEPS = `export * from "./culdesac-web.js?real";
export { default } from "./culdesac-web.js?real";
import { ask as real } from "./culdesac-web.js?real";
export function ask(name, question, ...rest) {
  if (name === "paths") question.request.limit = 250000;
  return real(name, question, ...rest);
}`;

test("where the steps end, the length that they reached has a row of its own", async () => {
  const { page, context, errors } = await open(site);
  await page.route(/culdesac-web\.js(?!\?real)/, (route) => route.fulfill({ contentType: "text/javascript", body: FEW_STEPS }));
  await page.reload();
  await setProgram(page, await readFile(new URL("../../examples/substring.c", import.meta.url), "utf8"));
  await upToDate(page);
  await tab(page, "Paths");
  const [reached, asked] = await count(page, "100");
  assert.ok(Number(reached[0]) < 100 && /^[\d,]+$/.test(reached[2]), reached);
  assert.deepEqual([asked[0], asked[2]], ["100", `? at least ${reached[2]}`]);
  await page.getByText(`the steps suffice for all paths of at most ${reached[0]} edges`).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a refused program shows why and where, in place of what was known before; mended, all comes back", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, LOOP);
  await page.waitForFunction(() => document.querySelectorAll(".canvas .graph .edge").length === 4);
  await setProgram(page, LOOP.replace("i + 1;", "i + ;"));
  await refused(page);
  assert.equal(await page.locator(".canvas .graph .edge").filter({ visible: true }).count(), 0);
  const said = page.getByRole("region", { name: "The program was refused" });
  assert.match(await said.innerText(), /line 4, column \d+ /);
  const problem = page.locator(".problems li").first();
  assert.match(await problem.textContent(), /Error.*line 4/);
  assert.ok((await page.locator(".cm-lintRange-error").count()) > 0);
  await problem.getByRole("button").first().click();
  await page.locator(".cm-activeLine", { hasText: "i = i + ;" }).waitFor();
  await setProgram(page, LOOP);
  await said.waitFor({ state: "detached" });
  assert.equal(await page.locator(".canvas .graph .edge").filter({ visible: true }).count(), 4);
  assert.equal(await page.locator(".problems li").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("graph and program point at each other, by mouse and by keyboard", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, LOOP);
  await page.waitForFunction(() => document.querySelectorAll(".canvas .graph .edge").length === 4);
  await page.locator(".cm-line").nth(3).click();
  await page.waitForSelector(".graph .edge.at-line");
  await page.locator(".canvas .node.loop").click();
  assert.match(await page.locator(".details").textContent(), /Location \d+ · loop header/);
  assert.match(await page.locator(".cm-line.cm-at").textContent(), /while/);
  await page.locator("svg.graph[role=group]").focus();
  const before = await page.locator(".canvas .graph > g").getAttribute("transform");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((t) => document.querySelector(".canvas .graph > g").getAttribute("transform") !== t, before);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".details").textContent(), /^Edge \d+ from/);
  await page.keyboard.press("Escape");
  const splitter = page.getByRole("separator");
  const width = Number(await splitter.getAttribute("aria-valuenow"));
  await splitter.press("ArrowRight");
  await until(async () => Number(await splitter.getAttribute("aria-valuenow")) === width + 2);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the picture is saved whole, as SVG, for Graphviz and as PNG", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  for (const [name, test] of [
    ["SVG", (bytes) => /^<svg[\s\S]*<\/svg>$/.test(bytes.toString()) && !bytes.toString().includes("var(--")],
    ["DOT", (bytes) => /^digraph "merge-merge" \{[\s\S]* 2 -> 3 \[label="ia < la"\];[\s\S]*\}\n$/.test(bytes.toString())],
    ["PNG", (bytes) => bytes.subarray(1, 4).toString() === "PNG" && bytes.length > 5_000],
  ]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    assert.ok(test(await downloaded(download)), name);
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test("an engine that stops is reported with a link, started again, and loses nothing", async () => {
  const context = await site.browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  let loads = 0;
  await page.route("**/culdesac-web.js*", (route) => {
    loads += 1;
    const body = `export default async () => {}; export const load = async () => {}; export const version = () => "0"; export const takeModulesFrom = () => {};
      export const ask = () => { console.error("panicked at the disco"); throw new WebAssembly.RuntimeError("unreachable"); };`;
    return route.fulfill({ contentType: "text/javascript", body });
  });
  await page.goto(site.address);
  await page.getByText("panicked at the disco").waitFor();
  assert.ok(await page.getByRole("button", { name: "Copy a link that reproduces it" }).isVisible());
  assert.match(await page.locator(".cm-content").textContent(), /days_in_february/);
  await until(() => loads >= 2, "a new worker is started");
  await page.unroute("**/culdesac-web.js*");
  await context.close();
});

test("without storage the page works and says what that means", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.goto(site.address);
  await answered(page);
  await setProgram(page, LOOP);
  await page.getByText(/not let the page keep/).waitFor();
  await context.close();
});

test("a phone shows one tab at a time, nothing clipped, nothing too small to touch", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await drawn(page, 0);
  for (const name of ["Program", "Graph", "Paths", "Proofs"]) {
    await tab(page, name);
    if (name === "Graph") {
      await drawn(page, 10);
      // A finger on an edge's label selects it, and one more takes the selection back.
      for (const chosen of [1, 0]) {
        await page.locator(".canvas [data-edge].assume .label").first().tap();
        assert.equal(await page.locator(".canvas [data-edge].selected").count(), chosen);
        assert.deepEqual(
          (await page.locator(".details").allTextContents()).map((text) => text.slice(0, 4)),
          chosen === 1 ? ["Edge"] : [],
        );
      }
    }
    if (name === "Paths") {
      await draw(page);
      await page.getByText("12 paths drawn").waitFor();
    }
    if (name === "Proofs") {
      await page.locator(".sources li", { hasText: "Drawn" }).getByRole("button", { name: "Check" }).click();
      await page.getByText(/All 12 claims hold/).waitFor();
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${name}: ${wide} px wide`);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("button, select, input[type=text], summary, [role=tab]")]
        // Numbers in the answer are part of its text.
        .filter((e) => e.getClientRects().length > 0 && !e.closest(".cm-editor, .answer"))
        .map((e) => ({ text: e.textContent || e.getAttribute("aria-label"), ...e.getBoundingClientRect().toJSON() }))
        .filter((r) => r.height < 43.5 || r.width < 43.5)
        .map((r) => `${r.text} ${Math.round(r.width)}×${Math.round(r.height)}`),
    );
    assert.deepEqual(small, [], name);
  }
  assert.equal(await page.locator("section.program").isVisible(), false);
  assert.deepEqual(errors, []);
  await context.close();
});

test("an example replaces the program and says what to look at; one's own comes back", async () => {
  const { page, context } = await open(site);
  await setProgram(page, LOOP);
  await upToDate(page);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator("ul.menu-list button").first().click();
  assert.equal((await said(page)).length, 1);
  await page.getByRole("button", { name: "Back to my own program" }).click();
  assert.match(await page.locator(".cm-content").textContent(), /int f\(int n\)/);
  await keeps(page, LOOP);
  await context.close();
});

test("the header's buttons stay within the window", async () => {
  const { page, context } = await open(site);
  await upToDate(page);
  for (const projector of [false, true]) {
    if (projector) await page.getByRole("button", { name: "Present" }).click();
    for (const width of [320, 390, 701, 761, 850, 1000, 1061, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      const beyond = await page.evaluate(() =>
        [...document.querySelectorAll("header :is(button, a, select)")]
          .filter((e) => e.getBoundingClientRect().right > innerWidth)
          .map((e) => e.textContent),
      );
      assert.deepEqual(beyond, [], `${width} wide${projector ? ", projector" : ""}`);
    }
  }
  await context.close();
});

test("several files are one program, and the target is a setting; links keep both", async () => {
  const { page, context, errors } = await open(site);
  await drawn(page, 10);
  const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page
    .locator('.files input[type="file"]')
    .setInputFiles([
      file(
        "b.c",
        '#include "q.h"\nstatic int count = 4;\nint push(int x) {\n  if (sizeof(long) == 4 && x > 1)\n    return 9;\n  return count;\n}\n',
      ),
      file("a.c", '#include "q.h"\nstatic int count = 0;\nint main(void) {\n  if (push(count) > 5)\n    return 1;\n  return 0;\n}\n'),
      file("q.h", "int push(int x);\n"),
    ]);
  await page.getByText(/a\.c, b\.c as one program/).waitFor();
  await upToDate(page);
  assert.deepEqual(await page.locator(".cm-file").allTextContents(), ["a.c", "b.c"]);
  await page.getByLabel("Function").selectOption("push");
  await upToDate(page);
  const answer = page.locator("[data-answer][data-answer-done]");
  await until(async () => /of 4 branches can never run/.test(await answer.innerText()));
  await openSettings(page);
  await page.getByLabel("Target").selectOption("ilp32");
  await closeSettings(page);
  await until(async () => /For ilp32: int, long and pointers of 32, 32, 32 bits, char signed\./.test(await answer.innerText()));
  // What no run takes is now the other side.
  await until(async () => /1 of 4 branches can never run/.test(await answer.innerText()));
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const second = await open(site, { hash: new URL(page.url()).hash });
  await upToDate(second.page);
  assert.deepEqual(await second.page.locator(".cm-file").allTextContents(), ["a.c", "b.c"]);
  await openSettings(second.page);
  assert.equal(await second.page.getByLabel("Target").inputValue(), "ilp32");
  await closeSettings(second.page);
  await second.page.getByRole("button", { name: "Add a file" }).click();
  await second.page.keyboard.type("int more(void) {");
  assert.deepEqual(await second.page.locator(".cm-file").allTextContents(), ["a.c", "b.c", "file2.c"]);
  assert.deepEqual([...errors, ...second.errors], []);
  await second.context.close();
  await context.close();
});
