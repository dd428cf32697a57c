// How long a page takes over a slow line with an empty cache: until merge's graph is drawn, until the answer in the bar is complete, and from
// the first click on a tab to its first answer, while the browser has not been idle yet, so that nothing was loaded ahead. Medians of several runs beside what is aimed at;
// where an aim is missed the script fails.
//
//   ./dev build && node scripts/throttled.mjs [RUNS]
//
// The line is this script's server: what it sends, over all connections together, passes through one bucket, compressed by brotli as static
// hosts do, and each answer begins a round trip late. The browser's own throttling does not reach what workers fetch.

import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright-core";
import { answered, dist, drawn, findChromium, tab } from "../tests/browser/harness.mjs";
import { TYPES } from "../tests/browser/serve.mjs";

const runs = Number(process.argv[2] ?? 3);
if (!(Number.isInteger(runs) && runs > 0)) {
  console.error("how many runs? node scripts/throttled.mjs [RUNS]");
  process.exit(2);
}

const LINES = [
  { name: "without a bound", bitsPerSecond: 1e9, roundTrip: 0, answer: 1200 },
  { name: "10 Mbit/s, 40 ms", bitsPerSecond: 10e6, roundTrip: 40, graph: 1600, answer: 2000, click: 400 },
  { name: "1.6 Mbit/s, 150 ms", bitsPerSecond: 1.6e6, roundTrip: 150, graph: 4600, answer: 6000, click: 2000 },
  { name: "1.6 Mbit/s, 150 ms, the page's thread slowed down fourfold", bitsPerSecond: 1.6e6, roundTrip: 150, slower: 4, answer: 6000 },
];

/** By tab, what is there once its first answer is: the first results, of Prune the graph as far as it is unfolded. */
const ANSWERS = {
  Paths: "table.paths tbody tr",
  Prune: ".red-graph [data-slot]",
  Explain: ".prefixes li",
  Cover: ".cover-pane .summary .badge",
  Run: ".run-pane .summary .badge",
};

async function serveSlowly(folder, { bitsPerSecond, roundTrip }) {
  const files = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(`/${relative(folder, path)}`, brotliCompressSync(await readFile(path)));
  }
  const PIECE = 1460;
  let free = 0;
  /** Waits until the line is free for so many bytes. Timers are late: the line does not stand still meanwhile. */
  const turn = async (bytes) => {
    const now = performance.now();
    free = Math.max(free, now - 20) + (bytes * 8000) / bitsPerSecond;
    if (free > now) await sleep(free - now);
  };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html");
    const body = files.get(path);
    // A connection that is new was opened first.
    await sleep(request.socket.opened ? roundTrip : 2 * roundTrip);
    request.socket.opened = true;
    if (!body) return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
      "content-encoding": "br",
      "cache-control": "max-age=600",
    });
    response.flushHeaders();
    for (let at = 0; at < body.length && !response.destroyed; at += PIECE) {
      const piece = body.subarray(at, at + PIECE);
      await turn(piece.length);
      response.write(piece);
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

/** Opens the page with nothing kept, in a browser that is never idle. */
async function open(browser, address, slower = 1) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  // Workers are as quick as they are: the browser slows down none of them.
  if (slower > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slower });
  const started = performance.now();
  await page.goto(`${address}#merge.graph`, { waitUntil: "commit" });
  await page.waitForSelector(".cm-content");
  const editor = performance.now() - started;
  await drawn(page, 10);
  return { context, page, started, editor, graph: performance.now() - started };
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
let missed = 0;
const row = (what, times, aim) => {
  const ms = median(times);
  const over = aim !== undefined && ms > aim;
  if (over) missed++;
  console.log(`  ${what.padEnd(28)}${String(Math.round(ms)).padStart(7)}${String(aim ?? "").padStart(7)}${over ? "  missed" : ""}`);
};

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
for (const line of LINES) {
  const server = await serveSlowly(dist, line);
  const times = { editor: [], graph: [], answer: [], clicks: Object.fromEntries(Object.keys(ANSWERS).map((name) => [name, []])) };
  for (let run = 0; run < runs; run++) {
    const { context, page, started, editor, graph } = await open(browser, server.address, line.slower);
    await answered(page);
    times.answer.push(performance.now() - started);
    times.editor.push(editor);
    times.graph.push(graph);
    await context.close();
    for (const name of line.slower ? [] : Object.keys(ANSWERS)) {
      const { context, page, editor, graph } = await open(browser, server.address);
      times.editor.push(editor);
      times.graph.push(graph);
      const clicked = performance.now();
      await tab(page, name);
      await page.locator(ANSWERS[name]).first().waitFor({ state: "attached", timeout: 60_000 });
      times.clicks[name].push(performance.now() - clicked);
      await context.close();
    }
  }
  await server.close();
  console.log(`${line.name}, in ms: median, aim`);
  row("the editor", times.editor);
  row("merge's graph", times.graph, line.graph);
  row("its answer", times.answer, line.answer);
  for (const [name, clicks] of Object.entries(times.clicks)) if (clicks.length > 0) row(`first click on ${name}`, clicks, line.click);
}
await browser.close();
process.exit(missed ? 1 : 0);
