// The Explain tab: infeasible prefixes, the explanation and its automaton, paths built and tried, rounds and tables.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import {
  cancelled,
  copiedBy,
  downloaded,
  draw,
  elements,
  figure,
  idle,
  launch,
  leftAtGraph,
  longestBlock,
  open,
  setProgram,
  settings,
  tab,
  upToDate,
  violations,
} from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

const example = (name) => readFile(new URL(`../../examples/${name}.c`, import.meta.url), "utf8");
const button = (page, name) => page.locator(".explain-pane, header").getByRole("button", { name, exact: true });
const view = (page, name) => page.locator(".explain-pane .views").getByRole("button", { name, exact: true }).click();
const reason = (page) => page.locator(".reason-pane");
const said = async (page) => (await reason(page).innerText()).replace(/\s+/g, " ");
const explained = (page, title) =>
  page.waitForFunction(
    (title) =>
      document.querySelector(".reason-pane h2")?.textContent.startsWith(title) &&
      document.querySelector(".reason-pane")?.getAttribute("aria-busy") === "false",
    title,
  );
const judged = (page) => page.locator(".judged .mark").waitFor();
/** Goes on by an edge that is named by its line and side. */
const go = (page, letter) => page.locator(".next button", { hasText: new RegExp(`^${letter} `) }).click();
const REGEX = "11 12t 13 (16t 17 | 16f 19) 20t 21 (20t 21)* 20f 22t";

/** Opens an example's tab, which runs by itself. */
async function explain(page, name = "f2") {
  await upToDate(page);
  await setProgram(page, await example(name));
  await upToDate(page);
  await tab(page, "Explain");
  await page.waitForFunction(() => document.querySelector('.explain-pane[aria-busy="false"] .prefixes li'));
}

test("a prefix of f2 shows why it cannot run, and all paths that cannot for the same reason", async () => {
  const { page, context, errors, outside } = await open(site);
  await explain(page);
  assert.match(
    await page.locator(".explain-pane .summary").textContent(),
    /^2 reasons, 58 infeasible prefixes.*29\.03 paths on average, 30 at most/,
  );
  // Reasons first, in the program's terms with lines; their prefixes below them, on demand.
  const reasons = page.locator(".prefixes li.reason");
  assert.deepEqual(await reasons.locator(".why").allTextContents(), ["12: !(x >= 0) · 22: !(x < 2)", "20: i < a · 22: x < 2"]);
  assert.deepEqual(await reasons.locator(".size b").allTextContents(), ["30 prefixes", "28 prefixes"]);
  assert.equal(await page.locator(".prefixes li").count(), 2);
  await page.getByLabel("Filter").fill("2 < x, x < 2");
  await page.getByLabel("Order of the list").selectOption("short");
  assert.equal(await reasons.count(), 1);
  await page.locator(".prefixes li.prefix button").first().click();
  await explained(page, "Prefix");
  const text = await said(page);
  assert.match(text, /infeasible No input satisfies \{ 2 < x, x < 2 \}/);
  assert.match(text, /28 paths of at most 50 instructions cannot run for this reason ✓ checked/);
  assert.equal((await page.locator(".regex code").textContent()).trim(), REGEX);
  assert.match(text, /What would have to go\?.*without x < 2 in line 22.*the rest holds for x = \d+/);
  // The constraints, and what they read from where.
  const steps = await page
    .locator(".path-steps li")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim()).join(" | ")));
  assert.deepEqual(steps, [
    "entry | inputs |  | ",
    "11 | i = 2 |  | ",
    "12t | x >= 0 | 0 <= x | ",
    "13 | a = x |  | x ← entry",
    "16t | y | y != 0 | ",
    "20t | i < a | 2 < x | a ← 13i ← 11",
    "20f | !(i < a) | x <= 3 | ",
    "22t | x < 2 | x < 2 | x ← entry",
  ]);
  assert.equal(await page.locator(".arrows .tip").count(), 4);
  // In the program both lines, in S both edges.
  assert.deepEqual(await page.locator(".cm-line.cm-reason").allTextContents(), ["    while (i < a)", "    if (x < 2)"]);
  assert.equal(await page.locator(".explain-graphs .of-S .edge.reason").count(), 2);
  // The automaton, minimised and as built.
  await page.waitForFunction(
    () =>
      document.querySelectorAll(".of-automaton .node").length === 12 &&
      document.querySelectorAll(".of-automaton [data-edge]").length === 13,
  );
  assert.equal(await page.locator(".of-automaton .edge.on-path").count(), 10);
  assert.deepEqual(await violations(page), []);
  // The picture of the docs page; UPDATE=1 makes it.
  await button(page, "Save").click();
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "SVG").click()]);
  assert.equal(download.suggestedFilename(), "program-f2-automaton.svg");
  const saved = String(await downloaded(download));
  const file = new URL("../../web/docs/explain-automaton.svg", import.meta.url);
  if (process.env.UPDATE) await writeFile(file, saved);
  const drawn = (svg) => svg.replace(/<style>.*?<\/style>/s, "");
  assert.equal(drawn(await readFile(file, "utf8")), drawn(saved), "UPDATE=1 makes it anew");
  await button(page, "As built").click();
  await page.waitForFunction(() => document.querySelectorAll(".of-automaton .node").length > 12);
  await button(page, "As built").click();
  assert.equal(await copiedBy(page, () => button(page, "Copy the regular expression").click()), REGEX);

  // Another path is judged by it, step by step.
  await view(page, "Try another path");
  for (const letter of ["12t", "16f", "20t"]) await go(page, letter);
  assert.match(await page.locator(".judged").textContent(), /not yet accepted/);
  await go(page, "20t");
  await go(page, "20f");
  await go(page, "22t");
  await judged(page);
  assert.match(
    await page.locator(".judged").textContent(),
    /accepted after 13 edges: the path cannot run, for the same reason.*The engine: infeasible, at step 13/,
  );
  assert.match(await page.locator(".walked").textContent(), /–22t→ 11$/);
  assert.equal(await page.locator(".of-automaton .node.on-path").count(), 11);
  await button(page, "Clear").click();
  await go(page, "12f");
  await judged(page);
  assert.match(
    await page.locator(".judged").textContent(),
    /not accepted In state 1 there is no transition for 12f: this explanation says nothing of the path\.The engine: feasible, replayed with x = -1/,
  );
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  await context.close();
});

test("a path is built by clicking edges, and by keys; each step has its verdict", async () => {
  const { page, context, errors } = await open(site);
  await explain(page);
  await view(page, "Build a path");
  await page.waitForFunction(() => document.querySelectorAll(".explain-graphs .of-S [data-edge]").length === 16);
  const edge = (id) => page.locator(`.explain-graphs .of-S [data-edge="${id}"]`);
  await edge(1).dispatchEvent("click");
  await explained(page, "Built path");
  assert.match(await said(page), /2 edges ✓ feasible Replayed with x = 0/);
  // Far ahead, behind decisions, is not next.
  await edge(13).dispatchEvent("click");
  await page.getByText("Edge 13 cannot follow").waitFor();
  assert.equal(await page.locator(".so-far").textContent(), "11 12t");
  assert.deepEqual(
    (await page.locator(".explain-graphs .of-S .edge.next").evaluateAll((edges) => edges.map((e) => e.dataset.edge))).sort(),
    ["5", "6"],
  );
  // By keys, in the list and in the graph.
  await page.locator(".next button").first().focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".so-far").textContent(), "11 12t 13 16t");
  await edge(9).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".so-far").textContent(), "11 12t 13 16t 17 20t");
  await edge(10).dispatchEvent("click");
  await edge(13).dispatchEvent("click");
  await explained(page, "Built path");
  await page.waitForFunction(() => document.querySelector(".reason-pane")?.textContent.includes("10 edges"));
  assert.match(await said(page), /infeasible No input satisfies \{ 2 < x, x < 2 \}/);
  await button(page, "Undo").click();
  await page.waitForFunction(() => /9 edges/.test(document.querySelector(".reason-pane")?.textContent ?? ""));
  await button(page, "Clear").click();
  assert.match(await page.locator(".so-far").textContent(), /^Click edges in S/);
  assert.deepEqual(await violations(page), []);
  // A path drawn in the Paths tab.
  await tab(page, "Paths");
  await draw(page);
  await page.getByText("12 paths drawn").waitFor();
  await page.locator("ol.drawn > li.no > button").first().click();
  await tab(page, "Explain");
  await page.getByRole("button", { name: /^Take path \d+ of the Paths tab$/ }).click();
  await explained(page, "Built path");
  assert.match(await said(page), /infeasible/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a path that is built goes with the program, and with no other", async () => {
  const { page, context, errors } = await open(site);
  await explain(page);
  const f2 = await example("f2");
  await view(page, "Build a path");
  const edge = (id) => page.locator(`.explain-graphs .of-S [data-edge="${id}"]`);
  await edge(15).waitFor({ state: "attached" });
  const sofar = () => page.locator(".so-far").textContent();
  const change = async (text) => {
    await setProgram(page, text);
    await upToDate(page);
  };
  for (const id of [1, 5, 9, 10]) await edge(id).dispatchEvent("click");
  assert.equal(await sofar(), "11 12t 13 16t 17 20t 21 21 20f");
  await explained(page, "Built path");
  assert.match(await said(page), /9 edges ✓ feasible/);
  // Another constant: the same path, asked anew.
  await change(f2.replace("i = 2", "i = 5"));
  await explained(page, "Built path");
  assert.equal(await sofar(), "11 12t 13 16t 17 20t 21 21 20f");
  assert.match(await said(page), /9 edges ✓ feasible Replayed with x = 6/);
  // Another program, while the next edge is clicked in the picture of the last one.
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "int g(int x) {\n  if (x > 0)\n    x = 1;\n  return x;\n}\n");
    document
      .querySelector(".cm-content")
      .dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    document.querySelector('.explain-graphs .of-S [data-edge="13"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  await upToDate(page);
  await page.waitForFunction(() => document.querySelector(".so-far")?.textContent.startsWith("Click edges in S"));
  await page.waitForFunction(() => document.querySelector(".reason-pane")?.getAttribute("aria-busy") === "false");
  assert.match(await said(page), /Of an earlier text/);
  await reason(page).getByRole("button", { name: "Explain again" }).click();
  await page.getByText("is no path of it any more").waitFor();
  assert.match(await said(page), /Of an earlier text/);
  assert.equal(await page.getByRole("button", { name: /^Take the explained path/ }).count(), 0);
  // With the program the path comes back.
  await change(f2);
  await explained(page, "Built path");
  assert.match(await sofar(), /^11 12t 13 16t 17 20t 21 21 20f/);
  assert.doesNotMatch(await said(page), /Of an earlier text/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the list is moved through by keys, sorted and filtered", async () => {
  const { page, context, errors } = await open(site);
  await explain(page);
  await page.getByLabel("Order of the list").selectOption("found");
  await page.locator(".prefixes li button").first().focus();
  const at = () => page.evaluate(() => document.activeElement?.querySelector(".index")?.textContent);
  assert.equal(await at(), "▸ 1");
  await page.keyboard.press("ArrowDown");
  assert.equal(await at(), "▸ 2");
  await page.keyboard.press("Enter");
  assert.equal(await at(), "▾ 2");
  await page.keyboard.press("End");
  assert.equal(await at(), "28");
  assert.equal(await page.evaluate(() => document.activeElement?.closest("li")?.getAttribute("aria-posinset")), "30");
  assert.ok((await page.locator(".prefixes li").count()) < 45);
  await page.keyboard.press("Enter");
  await explained(page, "Prefix 28");
  await page.keyboard.press("Home");
  assert.equal(await at(), "▸ 1");
  await page.getByLabel("Filter").fill("no such thing");
  assert.match(await page.locator(".list-tools").textContent(), /0 of 2 reasons, 0 of 58 families/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("rounds end with the feasible paths, tables and evidence are there", async () => {
  const { page, context, errors } = await open(site);
  await explain(page);
  await view(page, "Rounds");
  await button(page, "Draw, explain, refine").click();
  await page.getByText("nothing infeasible is left").waitFor();
  const left = await page.locator("table.rounds tbody tr td:last-child").allTextContents();
  assert.ok(left.length >= 3, left.join());
  const counts = left.map(Number);
  assert.ok(
    counts.every((count, i) => i === 0 || count < counts[i - 1]),
    left.join(),
  );
  await page.locator(".rounds button.link").first().click();
  await explained(page, "Path of round 1");
  assert.deepEqual(await violations(page), []);
  await view(page, "Tables");
  await button(page, "Measure the speed-up").click();
  await page.locator(".explain-pane .chart svg").first().waitFor();
  assert.match(await page.locator(".explain-pane .counts table").first().textContent(), /f25829\.0330/);
  assert.deepEqual(await violations(page), []);
  await button(page, "Check the evidence").click();
  await page.getByText(/claims hold\b/).waitFor();
  assert.equal(await page.locator("li.rejected").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("settings change the explanation, and a link brings them back", async () => {
  const { page, context, errors } = await open(site);
  await explain(page);
  await button(page, "Settings").click();
  await page.getByLabel("Order", { exact: true }).selectOption("last");
  await page.getByLabel("Max instructions").fill("30");
  await button(page, "Analyse").click();
  await page.waitForFunction(() =>
    /^\d+ reasons, (?!58)\d+ infeasible prefixes/.test(document.querySelector(".explain-pane .summary")?.textContent ?? ""),
  );
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const hash = new URL(page.url()).hash;
  const second = await open(site, { hash });
  await second.page.locator(".explain-pane .summary b").waitFor();
  assert.match(await settings(second.page).getAttribute("title"), /^30 instructions · order last · check integer · detours$/);
  assert.deepEqual([...errors, ...second.errors], []);
  await second.context.close();
  await context.close();
});

/** Many decisions about the same two inputs: thousands of infeasible prefixes. */
const MANY = `int many(int x, int y) {\n  int s = 0;\n${Array.from({ length: 24 }, (_, i) => `  if (x > ${i}) s = s + 1;\n  if (y > ${i}) s = s + 2;\n`).join("")}  return s;\n}\n`;

test("thousands of prefixes stay smooth; a run that is cancelled keeps what it found", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await setProgram(page, MANY);
  await upToDate(page);
  await tab(page, "Explain");
  await page.waitForFunction(
    () => Number(/(\d[\d,]*) families/.exec(document.querySelector(".list-tools")?.textContent ?? "")?.[1].replace(/,/g, "") ?? 0) > 1000,
  );
  // There are three times as many: it is far from its end.
  await button(page, "Cancel").click();
  await cancelled(page);
  const rows = page.locator(".prefixes li");
  await page.locator(".prefixes li.reason button").first().click();
  assert.ok((await rows.count()) < 60);
  const longest = await longestBlock(page, async () => {
    await page.locator(".prefixes").evaluate(async (list) => {
      for (let i = 1; i <= 30; i++) {
        list.scrollTop = (i / 30) * list.scrollHeight;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
  });
  figure("moving through thousands of prefixes: longest block", longest);
  assert.ok((await rows.count()) < 60);
  await rows.last().locator("button").click();
  await page.waitForFunction(() => document.querySelector(".reason-pane")?.textContent.includes("No input satisfies"));
  assert.deepEqual(errors, []);
  await context.close();
});

/** The engine with the families of a run repeated until there are so many. */
const repeating = (many) => `export * from "./culdesac-web.js?real";
export { default } from "./culdesac-web.js?real";
import { ask as real } from "./culdesac-web.js?real";
export function ask(name, question, ...rest) {
  const reply = real(name, question, ...rest);
  if (name !== "explain" || reply.kind !== "document" || question.settings.path !== null) return reply;
  const { families, reasons } = reply.document;
  reply.document.families = Array.from({ length: ${many} }, (_, i) => structuredClone(families[i % families.length]));
  reply.document.infeasible_prefixes = ${many};
  reply.document.reasons = reasons.map((reason) => {
    const at = Array.from({ length: ${many} }, (_, i) => i).filter((i) => reason.families.includes(i % families.length));
    return { ...reason, prefixes: at.length, families: at };
  });
  return reply;
}`;

test("fifty thousand prefixes are scrolled, sorted, filtered and chosen from smoothly", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.route(/culdesac-web\.js(?!\?real)/, (route) => route.fulfill({ contentType: "text/javascript", body: repeating(50_000) }));
  await leftAtGraph(page);
  await page.goto(site.address);
  const blocks = {};
  blocks.opening = await longestBlock(page, () => explain(page));
  assert.equal(await page.locator(".list-tools [role=status]").textContent(), "2 reasons, 50,000 families");
  const list = page.locator(".prefixes");
  const rows = list.locator("li");
  for (const number of [1, 0]) await list.locator("li.reason button").nth(number).click();
  blocks.scrolling = await longestBlock(page, () =>
    list.evaluate(async (list) => {
      for (let i = 1; i <= 60; i++) {
        list.scrollTop = (i / 60) * list.scrollHeight;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }),
  );
  await page.waitForFunction(() => [...document.querySelectorAll(".prefixes li")].at(-1)?.getAttribute("aria-posinset") === "50002");
  assert.ok((await rows.count()) < 60);
  // What is prepared while the page is idle is there when a person has looked at the list.
  await idle(page);
  blocks.sorting = await longestBlock(page, () => page.getByLabel("Order of the list").selectOption("short"));
  blocks.filtering = await longestBlock(page, () => page.getByLabel("Filter").pressSequentially("x < 2"));
  assert.match(await page.locator(".list-tools [role=status]").textContent(), / of 2 reasons, [\d,]+ of 50,000 families$/);
  await page.getByLabel("Filter").fill("");
  blocks.keys = await longestBlock(page, async () => {
    await list.evaluate((list) => (list.scrollTop = 0));
    await page.waitForFunction(() => document.querySelector(".prefixes li")?.getAttribute("aria-posinset") === "1");
    await rows.first().locator("button").focus();
    await page.keyboard.press("End");
  });
  await rows.last().locator("button").click();
  await explained(page, `Prefix ${(await rows.last().locator(".index").textContent()).replace(/\D/g, "")}`);
  for (const [what, ms] of Object.entries(blocks)) figure(`fifty thousand prefixes, ${what}: longest block`, ms);
  const parts = await elements(page);
  assert.ok(parts < 4000, `${parts} elements`);
  await context.close();
});

test("on a projector a large automaton is shown where the path dies, large enough to be read", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 1920, height: 1080 } });
  await page.getByRole("button", { name: "Present" }).click();
  await explain(page, "advisory");
  await explained(page, "Prefix");
  const canvas = page.locator(".explain-graphs .of-automaton");
  const dying = canvas.locator(".edge.at text").first();
  await dying.waitFor();
  assert.equal(await page.locator(".explain-graphs .of-S").isVisible(), false);
  const [label, around] = [await dying.boundingBox(), await canvas.boundingBox()];
  assert.ok(label.height >= 14, `the label is ${label.height} pixels high`);
  assert.ok(
    label.y > around.y && label.y + label.height < around.y + around.height && label.x > around.x && label.x < around.x + around.width,
    "it is in view",
  );
  // And so is the first step, on demand.
  await page.getByRole("button", { name: "First step" }).click();
  await page.waitForFunction(() => {
    const [edge, view] = [document.querySelector(".of-automaton .edge.at text"), document.querySelector(".of-automaton")].map((e) =>
      e?.getBoundingClientRect(),
    );
    return edge && edge.top > view.top && edge.bottom < view.bottom;
  });
  assert.deepEqual(errors, []);
  await context.close();
});

test("on a phone everything is within reach", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await explain(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.locator(".prefixes li button").first().tap();
  await page.locator(".prefixes li.prefix button").nth(1).tap();
  await page.waitForFunction(() => document.querySelector(".reason-pane")?.textContent.includes("No input satisfies"));
  await view(page, "Build");
  await page.locator(".next button").first().tap();
  await explained(page, "Built path");
  assert.match(await said(page), /feasible/);
  await view(page, "Rounds");
  await view(page, "Tables");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});
