// The frame: in every tab with a result, in every size, no two controls overlap, none is cut off, and the picture has its share of
// the height; with what opens over it, too. The bar says the answer; its popovers obey the keyboard; an example's header is folded.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  answered,
  cancelled,
  closeSettings,
  draw,
  drawn,
  fewPrefixes,
  holding,
  launch,
  nightly,
  open,
  openSettings,
  setProgram,
  settings,
  tab,
  until,
  upToDate,
} from "./harness.mjs";

let site;
before(async () => {
  site = await launch();
});
after(() => site?.close());

/** What is wrong with the controls that are in view, in sentences. */
const faults = (page) =>
  page.evaluate(() => {
    const SLACK = 1;
    const OVERLAYS = ".popover-panel, .menu-list, .details, .notice, .cm-panels, .cm-tooltip";
    const said = (e) =>
      `<${e.tagName.toLowerCase()} ${e.className?.baseVal ?? e.className}> "${(e.getAttribute("aria-label") ?? e.textContent ?? "").trim().slice(0, 40)}"`;
    const all = [...document.querySelectorAll("button, a[href], input:not(.sr-only), select, textarea, summary, [role=separator]")].filter(
      (e) => !e.closest(".cm-editor, .sr-only") && e.checkVisibility({ visibilityProperty: true }),
    );
    const wrong = [];
    const seen = [];
    for (const e of all) {
      const { left, top, right, bottom } = e.getBoundingClientRect();
      let box = { left, top, right, bottom };
      if (right - left < 1 || bottom - top < 1) continue;
      // Numbers in a sentence run on into the next line as text does.
      const inline = e.matches("p button.link, td button.link, p a");
      let scrolled = false;
      for (let around = e.parentElement; around; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        if (overflowX === "visible" && overflowY === "visible") continue;
        const frame = around.getBoundingClientRect();
        const inside = {
          left: Math.max(box.left, frame.left),
          top: Math.max(box.top, frame.top),
          right: Math.min(box.right, frame.right),
          bottom: Math.min(box.bottom, frame.bottom),
        };
        const scrolls = [overflowX, overflowY].some((value) => value === "auto" || value === "scroll");
        const cut = Math.max(inside.left - box.left, inside.top - box.top, box.right - inside.right, box.bottom - inside.bottom);
        if (cut > SLACK && !scrolls && !scrolled)
          wrong.push(`${said(e)} is cut off by <${around.tagName.toLowerCase()} ${around.className}>`);
        scrolled ||= scrolls;
        box = inside;
      }
      if (!scrolled && (box.left < -SLACK || box.top < -SLACK || box.right > innerWidth + SLACK || box.bottom > innerHeight + SLACK))
        wrong.push(`${said(e)} is beyond the window's edge: ${JSON.stringify(box)}`);
      if (box.right - box.left < 2 || box.bottom - box.top < 2) continue;
      if (e.tagName === "BUTTON" && !inline && e.scrollWidth > e.clientWidth + SLACK) wrong.push(`the text of ${said(e)} is cut off`);
      seen.push({ e, box, inline });
    }
    // What an overlay covers on purpose is out of reach until it is closed.
    const overlays = [...document.querySelectorAll(OVERLAYS)].filter((e) => e.checkVisibility());
    const covered = ({ e, box }) =>
      overlays.some((over) => {
        if (over.contains(e)) return false;
        const frame = over.getBoundingClientRect();
        return box.left < frame.right && box.right > frame.left && box.top < frame.bottom && box.bottom > frame.top;
      });
    const open = seen.filter((one) => !covered(one));
    for (const [i, a] of open.entries()) {
      const at = document.elementFromPoint((a.box.left + a.box.right) / 2, (a.box.top + a.box.bottom) / 2);
      if (at && !a.inline && !a.e.contains(at) && !at.contains(a.e) && at.closest("label") !== a.e.closest("label"))
        wrong.push(`${said(a.e)} is covered by ${said(at)}`);
      for (const b of open.slice(i + 1)) {
        if (a.inline || b.inline || a.e.contains(b.e) || b.e.contains(a.e)) continue;
        const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (width > SLACK && height > SLACK) wrong.push(`${said(a.e)} overlaps ${said(b.e)}`);
      }
    }
    for (const e of document.querySelectorAll(".details-text, .answer, .strip p, .popover-panel > *")) {
      if (!e.checkVisibility()) continue;
      const [inner, outer] = [e.getBoundingClientRect(), e.parentElement.getBoundingClientRect()];
      if (
        inner.left < outer.left - SLACK ||
        inner.right > outer.right + SLACK ||
        (!e.parentElement.matches(".popover-panel") && (inner.top < outer.top - SLACK || inner.bottom > outer.bottom + SLACK))
      )
        wrong.push(`the text of ${said(e)} is beyond its frame`);
    }
    for (const e of overlays) {
      const { left, top, right, bottom } = e.getBoundingClientRect();
      if (left < 0 || top < 0 || right > innerWidth + SLACK || bottom > innerHeight + SLACK)
        wrong.push(`${said(e)} is beyond the window's edge`);
    }
    if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight)
      wrong.push("the page itself scrolls");
    return wrong;
  });

/** The least share of the window's height that a picture of the shown tab has: the whole of what is shown, and each graph that
 * stands alone in its column. */
const share = (page) =>
  page.evaluate(() => {
    const shown = document.querySelector(".panel:not([hidden])");
    const pictures = [shown.querySelector(".picture") ?? shown, ...shown.querySelectorAll(".picture .canvas")].filter(
      (e) => e.checkVisibility() && e.clientHeight > 0 && !e.closest(".overview"),
    );
    return Math.min(
      ...pictures.map((e) => {
        const { top, bottom } = e.getBoundingClientRect();
        return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
      }),
    );
  });

/** Controls that a finger cannot hit. */
const small = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, select, summary, a.button")]
      .filter(
        (e) =>
          e.checkVisibility() &&
          !e.closest(".cm-editor, .sr-only") &&
          !e.matches("p button.link, td button.link, p a, .core button.link, .path-steps button, .term"),
      )
      .filter((e) => e.offsetHeight < 43.5 || e.offsetWidth < 43.5)
      .map((e) => `${e.className} "${(e.getAttribute("aria-label") ?? e.textContent).slice(0, 30)}" ${e.offsetWidth}×${e.offsetHeight}`),
  );

const SIZES = [
  { name: "1280×800", least: 0.6, options: { viewport: { width: 1280, height: 800 } } },
  { name: "1280×720 in Present", least: 0.55, projector: true, options: { viewport: { width: 1280, height: 720 } } },
  {
    name: "a phone, 390×844",
    least: 0.55,
    phone: true,
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
  ...(nightly
    ? [
        { name: "768×1024", least: 0.65, options: { viewport: { width: 768, height: 1024 } } },
        { name: "1600×1000", least: 0.65, options: { viewport: { width: 1600, height: 1000 } } },
      ]
    : []),
];

for (const { name, least, projector = false, phone = false, options } of SIZES) {
  test(`nothing overlaps or is cut, and the picture has its share: ${name}`, async () => {
    const { page, context, errors } = await open(site, { ...options, hash: await fewPrefixes() });
    await page.emulateMedia({ reducedMotion: "reduce" });
    if (projector) {
      await page.evaluate(() => localStorage.setItem("culdesac.projector", "on"));
      await page.reload();
    }
    await upToDate(page);
    await answered(page);
    const wrong = [];
    const shares = {};
    const look = async (state, picture = true) => {
      // Pictures are fitted and menus are placed in the frame after.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      wrong.push(...(await faults(page)).map((fault) => `${state}: ${fault}`));
      if (phone) wrong.push(...(await small(page)).map((one) => `${state}: too small for a finger: ${one}`));
      if (!picture) return;
      const has = await share(page);
      shares[state] = Math.round(100 * has);
      if (!(has >= least)) wrong.push(`${state}: the picture has ${(100 * has).toFixed(1)} % of the height`);
    };
    const withSettings = async (state) => {
      await openSettings(page);
      await look(`${state}, settings open`);
      await page.keyboard.press("Escape");
    };
    if (phone) await look("program", false);
    await page.locator("header").getByRole("button", { name: "Examples" }).click();
    await look("examples", false);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More" }).click();
    await look("more", false);
    await page.keyboard.press("Escape");

    await tab(page, "Graph");
    await drawn(page, 10);
    await look("graph");
    await page.locator(".graph-pane .canvas > svg .node.loop").first().dispatchEvent("click");
    await page.getByText("Location 2").waitFor();
    await look("graph, details");
    await page.getByRole("button", { name: "Close the details" }).click();
    await page.getByRole("button", { name: "List" }).click();
    await look("list of edges");
    await page.getByRole("button", { name: "List" }).click();

    await tab(page, "Paths");
    await page.locator("table.paths").waitFor();
    await page.waitForFunction(() => !document.querySelector(".run-state progress"));
    await look("paths");
    await withSettings("paths");
    await draw(page);
    await page.getByText("12 paths drawn").waitFor();
    await look("drawn");
    await withSettings("drawn");
    await page.locator("ol.drawn > li.no > button").first().click();
    await look("a path in view");

    await tab(page, "Prune");
    await page.locator(".red-graph [data-slot].abstracted").first().waitFor({ state: "attached" });
    await look("prune");
    if (await page.getByRole("button", { name: "Leave the path" }).count())
      await page.getByRole("button", { name: "Leave the path" }).click();
    await page.locator(".stepper").waitFor();
    await look("prune, steps");
    await withSettings("prune");
    await page.locator(".red-graph [data-slot].abstracted").first().dispatchEvent("click");
    // What is told of the steps may speak of red vertices, too.
    await page.locator("b", { hasText: /^Red vertex/ }).waitFor();
    await look("prune, details");
    await page.locator(".prune-pane .views").getByRole("button").nth(-2).click();
    await page.waitForFunction(() => document.querySelectorAll(".of-pruned .node").length === 58);
    await look("S and S′");
    // All of S′ is in its pane.
    const inside = await page.evaluate(() => {
      const frame = document.querySelector(".of-pruned svg").getBoundingClientRect();
      return [...document.querySelectorAll(".of-pruned .node, .of-S .node")].every((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        const own = node.closest("svg").getBoundingClientRect();
        return left >= own.left && right <= own.right && top >= frame.top && bottom <= frame.bottom;
      });
    });
    assert.equal(inside, true, "S and S′ are fitted to their panes");
    await page.locator(".prune-pane .views").getByRole("button").nth(-1).click();
    await look("counts");

    await tab(page, "Explain");
    await page.locator(".prefixes li.chosen").waitFor();
    await page.waitForFunction(() => !document.querySelector(".explain-pane .run-state progress"));
    await look("explain");
    await withSettings("explain");
    for (const part of ["Why", "List", "S", "Automaton"]) {
      const button = page.locator(".explain-pane .pane-bar").getByRole("button", { name: part, exact: true });
      if (!(await button.count())) continue;
      await button.click();
      await look(`explain, ${part}`);
    }
    const views = page.locator(".explain-pane .views").getByRole("button");
    for (let at = 1; at < (await views.count()); at++) {
      await views.nth(at).click();
      await look(`explain, view ${at}`);
    }
    await withSettings("rounds");

    await tab(page, "Reach");
    await page.getByText("Click a line of the program").waitFor();
    await look("reach, nothing asked");
    const target = page.locator(".reach-pane input.target");
    await target.fill("99");
    await target.press("Enter");
    await page.locator(".reach-pane").getByRole("alert").waitFor();
    await look("reach, no such line");
    await target.fill("36");
    await target.press("Enter");
    await page.locator(".reach-verdict").waitFor();
    await look("reach");
    await withSettings("reach");
    await page.locator(".reach-pane ol.drawn button.row").first().click();
    await look("reach, a backbone");
    const reached = page.locator(".reach-pane .pane-bar").getByRole("button", { name: "Graph", exact: true });
    if (await reached.count()) {
      await reached.click();
      await look("reach, graph");
    }

    await tab(page, "Cover");
    await page.locator(".cover-pane .summary .badge").first().waitFor();
    await look("cover");
    await withSettings("cover");
    await page.locator(".cover-pane .kind.tests button.row").first().click();
    await look("cover, a test");
    const graph = page.locator(".cover-pane .pane-bar").getByRole("button", { name: "Graph", exact: true });
    if (await graph.count()) {
      await graph.click();
      await look("cover, graph");
    }
    await page.locator(".cover-pane .which").getByRole("button").nth(1).click();
    await look("algorithms");
    await withSettings("algorithms");
    await page.locator(".cover-pane .which").getByRole("button").first().click();

    await tab(page, "Branches");
    await page.locator(".branches-pane .summary .badge").first().waitFor();
    await page.waitForFunction(() => !document.querySelector(".branches-pane .run-state progress"));
    await look("branches");
    await openSettings(page);
    await page.getByLabel("Tests to begin with").selectOption("given");
    await page.getByLabel("A JSON array of inputs").fill("[");
    await look("branches, settings with what is wrong");
    await page.getByRole("button", { name: "Back to the defaults" }).click();
    await closeSettings(page);
    await page.locator(".branches-pane .kind.tests button.row").first().click();
    await look("branches, a test");
    await page.locator(".branches-pane .kind.branches button.row").first().click();
    await look("branches, a branch");
    const signed = page.locator(".branches-pane .pane-bar").getByRole("button", { name: "Graph", exact: true });
    if (await signed.count()) {
      await signed.click();
      await look("branches, graph");
    }
    await page.locator(".branches-pane").getByRole("button", { name: "At work" }).click();
    await look("branches, at work");
    await page.locator(".branches-pane").getByRole("button", { name: "Result" }).click();

    await tab(page, "Report");
    await page.locator(".report-pane .sentence").waitFor();
    await look("report");
    await withSettings("report");
    await page.locator(".report-pane .kind.branches button.row").first().click();
    await look("report, a branch");

    await tab(page, "Run");
    await page.locator(".run-pane .summary .badge").first().waitFor();
    await look("run");
    await withSettings("run");
    const drawing = page.locator(".run-pane .pane-bar").getByRole("button", { name: "Graph", exact: true });
    if (await drawing.count()) {
      await drawing.click();
      await look("run, graph");
    }
    await tab(page, "Proofs");
    await look("check");
    await tab(page, "Cover");
    const tests = page.locator(".cover-pane .pane-bar").getByRole("button", { name: "Tests", exact: true });
    if (await tests.count()) await tests.click();
    await page.locator(".cover-pane").getByRole("button", { name: "Check the evidence" }).click();
    await page.locator(".check-pane .summary").waitFor();
    await look("check, a file");
    console.log(`per cent of the height at ${name}: ${JSON.stringify(shares)}`);
    assert.deepEqual(wrong, []);
    assert.deepEqual(errors, []);
    await context.close();
  });
}

const RUNS = [
  { id: "prune", title: "Prune", found: ".red-graph [data-slot].abstracted" },
  { id: "explain", title: "Explain", found: ".prefixes li" },
  { id: "cover", title: "Cover", found: ".cover-pane .kind.tests li" },
  { id: "branches", title: "Branches", found: ".branches-pane .kind.tests li" },
];

for (const { name, least, projector = false, options } of SIZES) {
  test(`while a run goes on and when it is cancelled, nothing overlaps or is cut, and the picture has its share: ${name}`, async () => {
    const wrong = [];
    for (const { id, title, found } of RUNS) {
      const { page, context, errors } = await open(site, options);
      await page.emulateMedia({ reducedMotion: "reduce" });
      if (projector) await page.evaluate(() => localStorage.setItem("culdesac.projector", "on"));
      const held = await holding(page, id);
      await page.reload();
      await upToDate(page);
      await tab(page, title);
      await page.locator(found).first().waitFor({ state: "attached" });
      const look = async (state) => {
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        wrong.push(...(await faults(page)).map((fault) => `${state}: ${fault}`));
        const has = await share(page);
        if (!(has >= least)) wrong.push(`${state}: the picture has ${(100 * has).toFixed(1)} % of the height`);
      };
      await page.locator(".run-state progress").waitFor();
      await until(() => held.length > 0, "the run is held");
      await look(`${id} goes on`);
      await page.locator("header").getByRole("button", { name: "Cancel" }).click();
      await cancelled(page);
      await look(`${id} was cancelled`);
      assert.deepEqual(errors, []);
      await context.close();
    }
    assert.deepEqual(wrong, []);
  });
}

/** The chosen infeasible statement stands within the list's frame. */
const inView = (page) =>
  page.waitForFunction(() => {
    const [row, list] = [".cover-pane .kind.infeasible li.chosen button", ".cover-pane .side-list"].map((of) =>
      document.querySelector(of)?.getBoundingClientRect(),
    );
    return row && row.top >= list.top && row.bottom <= list.bottom;
  });

test("below many tests, too, the infeasible statements are what the answer leads to", async () => {
  const { page, context, errors } = await open(site, { viewport: { width: 1280, height: 720 } });
  await answered(page);
  await page.locator("header").getByRole("button", { name: "Examples" }).click();
  await page.locator("ul.menu-list button", { hasText: "An advisory against collisions" }).click();
  await page.getByRole("button", { name: "3 of 60 branches" }).click();
  await inView(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the bar says the answer without being asked, and its numbers lead to where they come from", async () => {
  const { page, context, errors } = await open(site);
  assert.match(await answered(page), /^All 10 branches can run\b.* 1,224 paths .*\b30 steps\b.* 140 can run\b/);
  // One side of two of its decisions can never hold; without loops all paths are counted.
  await setProgram(
    page,
    "int f(int x) {\n  if (x > 3) {\n    if (x > 2) return 1;\n    return 2;\n  }\n  if (x > 5) return 3;\n  return 4;\n}\n",
  );
  await page.waitForFunction(
    () => document.querySelector(".answer")?.dataset.done === "true" && document.querySelector(".answer").textContent.includes("never"),
  );
  assert.match(await answered(page), /^2 of 6 branches can never run\b.* 4 paths\b.* 2 can run\b/);
  await page.getByRole("button", { name: "2 of 6 branches" }).click();
  await page.locator(".cover-pane .kind.infeasible li.chosen").waitFor();
  await inView(page);
  assert.equal(await page.getByRole("tab", { name: "Cover" }).getAttribute("aria-selected"), "true");
  await page.getByRole("button", { name: "4 paths" }).click();
  await page.locator("table.paths").waitFor();
  // A decision of a function that is called twice is one decision: it can run if it can in one of its copies. (-x may overflow.)
  await setProgram(
    page,
    "int sign(int x) {\n  if (x < 0) return -1;\n  return 1;\n}\nint f(int x) {\n  if (x < 0) return sign(-x);\n  return sign(x - 1);\n}\n",
  );
  await page.waitForFunction(
    () => document.querySelector(".answer")?.dataset.done === "true" && !document.querySelector(".answer").textContent.includes("never"),
  );
  await page.waitForFunction(() => /^All 4 branches can run\./.test(document.querySelector(".answer")?.textContent ?? ""));
  assert.match(
    await answered(page),
    /^All 4 branches can run\. Runs fail in 1 place\. Of 4 paths, 3 can run\. This is about f, since it is the last one that decides something\.$/,
  );
  // No bound is a reason to say that a branch cannot run.
  await setProgram(page, "int f(int n) {\n  int i = 0;\n  while (i < n) i++;\n  if (i == 10) return 1;\n  return 0;\n}\n");
  await page.waitForFunction(
    () => document.querySelector(".answer")?.dataset.done === "true" && !document.querySelector(".answer").textContent.includes("sign"),
  );
  assert.match(await answered(page), /^All 4 branches can run\. Of \d+ paths of at most 30 steps, \d+ can run\.$/);
  // A text that is refused has no answer.
  await setProgram(page, "int f(int x) { return + ; }\n");
  await page.waitForFunction(() => document.querySelector(".status")?.textContent.includes("refused"));
  assert.equal(await page.locator(".answer").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a run that somebody started is not disturbed by the answer, and an edit ends what is worked out", async () => {
  const { page, context, errors } = await open(site);
  await answered(page);
  await tab(page, "Explain");
  await page.waitForFunction(() => document.querySelector(".explain-pane .run-state progress"));
  // Another kind of integers: the answer is worked out anew while prefixes are explored.
  await page.getByLabel("Integers").selectOption("c32");
  await answered(page);
  await page.locator(".prefixes li").first().waitFor();
  assert.equal(await page.getByText("Cancelled").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test("the settings open and close by keyboard, the focus returns, and they say what differs from the defaults", async () => {
  const { page, context } = await open(site);
  await upToDate(page);
  await tab(page, "Prune");
  await settings(page).focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Settings" });
  await panel.waitFor();
  assert.match(await panel.innerText(), /The defaults: learn · lookahead 16 or 32 · restarts/);
  assert.equal(await page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null), true, "the focus is in it");
  await page.getByLabel("Lookahead").fill("4");
  await page.getByLabel("Restarts").uncheck();
  assert.match(await panel.innerText(), /Changed: lookahead 4 · no restarts/);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute("aria-expanded")),
    "false",
    "the focus is back on the button",
  );
  assert.match(await settings(page).innerText(), /^Settings\s*2/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Back to the defaults" }).click();
  assert.match(await panel.innerText(), /The defaults: learn · lookahead 16 or 32 · restarts/);
  // The field follows in the next frame.
  await until(async () => (await page.getByLabel("Lookahead").inputValue()) === "");
  // What is no number says so, and is not kept.
  await page.getByLabel("Lookahead").fill("x");
  assert.equal(await page.locator("header").getByRole("button", { name: "Analyse", exact: true }).isDisabled(), true);
  await closeSettings(page);
  await page.locator("header button.run:enabled").waitFor();
  await openSettings(page);
  await until(async () => (await page.getByLabel("Lookahead").inputValue()) === "");
  // A click elsewhere closes, too; Enter in a field runs.
  await page.getByLabel("Lookahead").press("Enter");
  await panel.waitFor({ state: "detached" });
  await page.waitForFunction(
    () => document.querySelector(".prune-pane")?.getAttribute("aria-busy") === "false" && document.querySelector(".stepper"),
  );
  await context.close();
});

test("the header of an example is folded to its title, and opens by click and by keyboard", async () => {
  const { page, context } = await open(site);
  await upToDate(page);
  const fold = page.locator(".cm-header-fold");
  assert.match(await fold.innerText(), /Merging two sorted arrays/);
  // The text and the numbers of its lines are what they are.
  assert.match(await page.evaluate(() => localStorage.getItem("culdesac.source") ?? ""), /^(?:\/\*\n \* title: Merging|$)/);
  assert.deepEqual(
    (
      await page
        .locator(".cm-lineNumbers .cm-gutterElement")
        .evaluateAll((all) => all.filter((e) => getComputedStyle(e).visibility === "visible").map((e) => e.textContent))
    ).slice(0, 3),
    ["1", "18", "19"],
  );
  await fold.click();
  await page.getByText("look at: Three loops").waitFor();
  assert.equal(await fold.count(), 0);
  await page.locator("header").getByRole("button", { name: "Examples" }).click();
  await page.locator("ul.menu-list button").first().click();
  await fold.waitFor();
  await fold.focus();
  await page.keyboard.press("Enter");
  await page.getByText("look at:", { exact: false }).first().waitFor();
  assert.equal(await fold.count(), 0);
  // A comment that says no title stays.
  await setProgram(page, "/* about\n * this\n */\nint f(void) { return 0; }\n");
  await upToDate(page);
  assert.equal(await fold.count(), 0);
  await context.close();
});
