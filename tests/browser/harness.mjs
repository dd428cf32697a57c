// What the browser tests and the screenshots share: Chromium, the served page, and the ways a person uses it.

import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterEach } from "node:test";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { readExamples } from "../../scripts/examples.mjs";
import { serve } from "./serve.mjs";

import { PATIENCE, SOON } from "./until.mjs";

export { until } from "./until.mjs";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** Browsers of this process. */
const browsers = [];
// What a page showed when its test failed is often the reason, and is seen on no later run.
afterEach(async (test) => {
  if (test.passed) return;
  for (const page of browsers.flatMap((browser) => browser.contexts()).flatMap((context) => context.pages())) {
    console.log(`at the end of "${test.name}": ${page.url()}\n${await page.locator("body").ariaSnapshot({ timeout: SOON }).catch(String)}`);
  }
});

export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // The next name.
    }
  }
  throw new Error("no Chromium: install one, or name it in CHROMIUM");
}

export const dist = process.env.DIST ?? new URL("../../dist", import.meta.url).pathname;

/** Whether what takes long is tested too: `./dev nightly`. */
export const nightly = Boolean(process.env.CULDESAC_NIGHTLY);

/** A browser that several processes can use: `CULDESAC_BROWSER` gives them its endpoint. */
export const startBrowser = () => chromium.launchServer({ executablePath: findChromium(), args: ARGUMENTS });

/** A browser, the shared one if there is one, and a served page; `close` ends both, of the shared one only what is this process's. */
export async function launch() {
  const shared = process.env.CULDESAC_BROWSER;
  // The browser first: a server left behind by its failure would keep the tests from ending.
  const browser = await (shared ? chromium.connect(shared) : chromium.launch({ executablePath: findChromium(), args: ARGUMENTS }));
  browsers.push(browser);
  const server = await serve(dist);
  return {
    address: server.address,
    asked: server.asked,
    browser,
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

/** Opens the page in a context of its own, with the graph of the merging sort as it was left, unless a link says another, or the browser
 * `isNew` to the page; `errors` collects whatever goes wrong in it. */
export async function open({ browser, address }, { hash = "", viewport = { width: 1280, height: 800 }, isNew = false, ...options } = {}) {
  const context = await browser.newContext({ viewport, permissions: ["clipboard-read", "clipboard-write"], ...options });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(noteCopies);
  if (!isNew && hash === "") await leftAtGraph(context);
  const page = await context.newPage();
  const errors = [];
  const outside = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on(
    "request",
    (request) => /^(https?|wss?):/.test(request.url()) && !request.url().startsWith(address) && outside.push(request.url()),
  );
  await page.goto(address + hash);
  await page.waitForSelector(".cm-content", { state: "attached" });
  return { page, context, errors, outside };
}

/** The example of this name. */
const exampleOf = async (name) =>
  (await readExamples(new URL("../../examples", import.meta.url).pathname)).find((example) => example.name === name);

/** The part from `#` on of a link to the graph of an example, with what is set otherwise than usual: as the page writes links
 * (web/ui/session/permalink.ts). */
export async function linkTo(name, settings) {
  const { source } = await exampleOf(name);
  return `#v1.${deflateRawSync(JSON.stringify({ source, program: name, tab: "graph", ...settings })).toString("base64url")}`;
}

/** Of the merging sort, shorter prefixes to explain than usual: in what the list has, and in how it looks, hundreds are as good as thousands. */
export const fewPrefixes = () => linkTo("merge", { explain: { maxInstructions: 30 } });

/** A page or a context that opens as if the graph of the merging sort had been left. */
export const leftAtGraph = async (of) => of.addInitScript(wasHere, (await exampleOf("merge")).source);

/** In the page, before it is loaded for the first time: as if the graph of this program had been left. */
function wasHere(source) {
  if (sessionStorage.getItem("culdesac.session") !== null || localStorage.getItem("culdesac.source") !== null) return;
  localStorage.setItem("culdesac.source", source);
  localStorage.setItem("culdesac.name", "merge");
  sessionStorage.setItem("culdesac.session", JSON.stringify({ address: location.hash, settings: { tab: "graph" }, program: true }));
}

/** In the page: keeps what it wrote to the clipboard. Reading it there would give what any page of the browser wrote last. */
function noteCopies() {
  // Blank pages have none.
  if (!("Clipboard" in window)) return;
  const write = Clipboard.prototype.writeText;
  Clipboard.prototype.writeText = async function (text) {
    await write.call(this, text);
    window.__copied = text;
  };
}

/** The text that the page copies while `act` runs or after it. */
export async function copiedBy(page, act) {
  await page.evaluate(() => void (window.__copied = undefined));
  await act();
  await page.waitForFunction(() => window.__copied !== undefined);
  return page.evaluate(() => window.__copied);
}

/** What a download holds; the browser keeps the file where only it may be. */
export async function downloaded(download) {
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What axe-core finds wrong with the page as it is, and whether it is higher than the window: a focus would scroll it away then. */
export async function violations(page) {
  // Through the debugger: the page's own policy forbids scripts from elsewhere.
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => {
    // Contrasts are those of the colours at the end, not on the way there.
    const passing = document.getAnimations().filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map((animation) => animation.finished));
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    const app = document.getElementById("app");
    const isHigher = app !== null && getComputedStyle(app).overflowY === "hidden" && app.scrollHeight > app.clientHeight + 1;
    const higher = isHigher ? [`the page is ${app.scrollHeight - app.clientHeight} pixels higher than the window`] : [];
    const found = violations.map(
      (v) =>
        `${v.id}: ${v.help}\n    ${v.nodes
          .slice(0, 4)
          .map((n) => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ""}`)
          .join("\n    ")}`,
    );
    return [...higher, ...found];
  });
}

/** The memory of the engine's modules in all workers of the page, in bytes; a request while a worker runs waits for it. WebAssembly's
 * memory never shrinks, so this is the most that was needed since the worker started. */
export async function engineMemory(page) {
  const sizes = await Promise.all(
    page.workers().map((worker) =>
      worker
        .evaluate(async () => {
          const sizes = [];
          for (const { name } of performance.getEntriesByType("resource")) {
            // A module that is loaded gives its exports again.
            if (/culdesac-[\w-]*\.js/.test(name)) sizes.push((await (await import(name)).default()).memory.buffer.byteLength);
          }
          return sizes;
        })
        .catch((error) => {
          // The memory of a worker that ends meanwhile is free.
          if (page.workers().includes(worker)) throw error;
          return [];
        }),
    ),
  );
  return sizes.flat();
}

/** Replaces the program as a paste does. */
export async function setProgram(page, text) {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+a");
  if (text === "") return page.keyboard.press("Delete");
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    document
      .querySelector(".cm-content")
      .dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

/** The program as the page would link it, read from what it keeps. */
export const keptProgram = (page) => page.evaluate(() => localStorage.getItem("culdesac.source"));

/** Waits until the page has analysed the text as it is now, one way or another: not before the pause that follows each key. */
const inState = (page, ...states) =>
  page.waitForFunction((states) => states.includes(document.querySelector(".status")?.dataset.state), states);
export const analysed = (page) => inState(page, "current", "refused");
export const upToDate = (page) => inState(page, "current");
export const refused = (page) => inState(page, "refused");
/** A run that is in view, or in view of a tab, has been cancelled. */
export const cancelled = (scope) => scope.locator('.run-state[data-state="cancelled"]').locator("visible=true").first().waitFor();
/** Edges as they are drawn and called: the sign of what is known of each, and its label, which of a decision's side is in its name alone. */
export const edgeTexts = (edges) =>
  edges.evaluateAll((all) =>
    all.map((edge) => {
      const name = edge.getAttribute("aria-label");
      const sign = edge.querySelector(".sign")?.textContent ?? "";
      const [, plain, known] =
        /^(?:Edge \d+ from \d+ to \d+: (.*?)(?:, (?:true|false) side)?, line \d+|(.*), [^:]+: edge \d+ from .*)$/.exec(name);
      if (known !== undefined && !known.startsWith(`${sign} `)) throw new Error(`${name} is drawn with ${sign}`);
      return (known ?? plain).split(" in full ")[0];
    }),
  );
export const drawn = (page, edges = 1) => page.waitForFunction((n) => document.querySelectorAll(".canvas .graph .edge").length >= n, edges);

/** Waits until the page has drawn what it was told to draw. */
export const framed = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
/** Waits until the page has nothing else to do. */
export const idle = (page) => page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))));

/** Waits until the page stands still: nothing moves any more, and twelve frames came without a change of the document. */
export const still = (page) =>
  page.evaluate(async () => {
    let changed = true;
    const watching = new MutationObserver(() => (changed = true));
    watching.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    await document.fonts.ready;
    while (changed) {
      changed = false;
      const passing = document.getAnimations().filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(passing.map((animation) => animation.finished));
      for (let frame = 0; frame < 12; frame++) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    }
    watching.disconnect();
  });

/** Waits until the page keeps this program. */
export const keeps = (page, text) => page.waitForFunction((text) => localStorage.getItem("culdesac.source") === text, text);

/** Waits for the styles and pictures of the page that a link led to; what is in it is there before them. */
export const styled = (page) => page.waitForLoadState("load");

export const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();

/** A button of the bar on top. */
export const bar = (page, name) => page.locator("header").getByRole("button", { name, exact: typeof name === "string" });
/** Runs what the shown tab shows. */
export const run = (page) => bar(page, /^(Run|Analyse)$/).click();
/** The button that opens the shown tab's settings. */
export const settings = (page) => bar(page, /^(Settings|Input)/);

/** Opens the shown tab's settings, if they are not open. */
export async function openSettings(page) {
  if ((await settings(page).getAttribute("aria-expanded")) !== "true") await settings(page).click();
}

/** Closes them, if they are open. */
export async function closeSettings(page) {
  if ((await settings(page).getAttribute("aria-expanded")) === "true") await settings(page).click();
}

/** Shows the numbers of paths, or drawn paths. */
export const pathsView = (page, name) => page.locator(".paths-pane .views").getByRole("button", { name }).click();

/** Draws paths, with other settings by their labels if they are given. */
export async function draw(page, chosen = {}) {
  await pathsView(page, "Draw");
  await openSettings(page);
  for (const [label, value] of Object.entries(chosen)) {
    const field = page.getByLabel(label, { exact: true });
    await (label === "From" ? field.selectOption(value) : field.fill(value));
  }
  await closeSettings(page);
  await run(page);
}

/** The answer in the bar, once it is complete. */
export async function answered(page) {
  await page.waitForFunction(() => document.querySelector(".answer")?.dataset.done === "true");
  return page.locator(".answer").innerText();
}

/** Counts and waits for the end; the table's rows as texts. */
export async function count(page, lengths) {
  await pathsView(page, "Count");
  await openSettings(page);
  await page.getByLabel("Lengths").fill(lengths);
  await closeSettings(page);
  await run(page);
  await page.waitForFunction(
    () =>
      document.querySelector("table.paths") &&
      !document.querySelector("table.paths tbody")?.textContent.includes("…") &&
      !document.querySelector(".run-state progress"),
  );
  return page
    .locator("table.paths tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
}

/** Notes a measured time in milliseconds, printed and, for scripts/speed.mjs, appended to the file that FIGURES names. No test
 * holds a time against a bound: machines differ, and other programs run on them. */
export function figure(what, ms) {
  console.log(`${what}: ${Math.round(ms)} ms`);
  if (process.env.FIGURES) appendFileSync(process.env.FIGURES, `${JSON.stringify({ what, ms })}\n`);
}

/** From the next load on the page's engine ends no question of this name, or of these, but for those with which a worker warms it up: no user waits for
 * these, and they would hold up the question itself. It shows what it finds up to the first event for which `last` holds, if there is one.
 * Gives what is held. */
export async function holding(page, names, last = "false") {
  const body = `export * from "./culdesac-web.js?real";
  export { default } from "./culdesac-web.js?real";
  import { ask as real } from "./culdesac-web.js?real";
  export function ask(name, question, listener, ...rest) {
    const held = ${JSON.stringify([names].flat())}.includes(name) && question.request.program !== "warm-up";
    const hold = () => {
      const request = new XMLHttpRequest();
      request.open("GET", "./held", false);
      request.send();
    };
    const reply = real(name, question, (event) => {
      const on = listener(event);
      if (held && (${last})) hold();
      return on;
    }, ...rest);
    if (held) hold();
    return reply;
  }`;
  const held = [];
  await page.route(/culdesac-web\.js(?!\?real)/, (route) => route.fulfill({ contentType: "text/javascript", body }));
  await page.route(/\/held$/, (route) => void held.push(route));
  return held;
}

/** How often the document changed outside the editor while `act` ran: attributes, texts, and lists of children. What a page
 * does in a blink on any machine changes little. For each analysis of the text: where keys come slowly, one follows each of them. */
export async function changes(page, act) {
  await page.evaluate(() => {
    const outside = ({ target }) => !(target instanceof Element ? target : target.parentElement)?.closest(".cm-editor");
    window.__changes = 0;
    window.__analyses = 0;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message?.question?.name === "cfg") window.__analyses++;
      post.call(this, message, ...rest);
    };
    window.__counting = new MutationObserver((records) => (window.__changes += records.filter(outside).length));
    window.__counting.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await act();
  return page.evaluate(() => {
    window.__counting.disconnect();
    return Math.round(window.__changes / Math.max(1, window.__analyses));
  });
}

/** How many elements the document has. */
export const elements = (page) => page.evaluate(() => document.querySelectorAll("*").length);

/** Watches how long the page's thread is blocked: a timer notes each time at which it comes late. A loop of messages would
 * notice more, but would itself keep the browser from drawing. */
async function watch(page) {
  await page.evaluate(() => {
    const watch = (window.__watch = { blocks: [], last: performance.now(), on: true });
    const tick = () => {
      const now = performance.now();
      watch.blocks.push({ at: watch.last, ms: Math.max(0, now - watch.last - 4) });
      watch.last = now;
      if (watch.on) setTimeout(tick, 0);
    };
    setTimeout(tick, 0);
  });
  return {
    now: () => page.evaluate(() => performance.now()),
    /** The longest block that began after a moment. */
    since: (moment) =>
      page.evaluate((at) => Math.max(0, ...window.__watch.blocks.filter((block) => block.at >= at - 5).map((block) => block.ms)), moment),
    end: () => page.evaluate(() => void (window.__watch.on = false)),
  };
}

/** The longest time the page's thread was blocked while `act` ran, in milliseconds. */
export async function longestBlock(page, act) {
  const watching = await watch(page);
  await act();
  const longest = await watching.since(0);
  await watching.end();
  return longest;
}

/** Types text key by key, then lets the page catch up. Notes how long each key blocked the page's thread, and how much of the
 * processor that thread took for it (other programs do not count); then the longest block in the pause after it, when the
 * text is kept and analysed. */
export async function typing(page, text, where) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () =>
    (await session.send("Performance.getMetrics")).metrics.find((metric) => metric.name === "TaskDuration").value * 1000;
  const watching = await watch(page);
  const blocks = [];
  const work = [];
  for (const key of text) {
    const [moment, before] = [await watching.now(), await busy()];
    await page.keyboard.press(key === " " ? "Space" : key);
    await framed(page);
    await idle(page);
    work.push((await busy()) - before);
    blocks.push(await watching.since(moment));
  }
  const moment = await watching.now();
  await analysed(page);
  await idle(page);
  const pause = await watching.since(moment);
  await watching.end();
  await session.detach();
  figure(`${where}: longest block by a key`, Math.max(...blocks));
  figure(`${where}: most processor time for a key`, Math.max(...work));
  figure(`${where}: longest block in the pause after the keys`, pause);
}
