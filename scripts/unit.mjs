// Bundles tests/ui/*.test.ts for Node and runs them, with any other test files that are named. Those of the page share one browser,
// each test in a context of its own, and run two files at a time.

import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { build } from "esbuild";
import { readExamples } from "./examples.mjs";
import { terms } from "./terms.mjs";

const from = "tests/ui";
const outdir = "target/ui-tests";
await rm(outdir, { recursive: true, force: true });
const tests = (await readdir(from)).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => join(from, name)),
  outdir,
  outExtension: { ".js": ".mjs" },
  plugins: [terms],
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  define: { BUILD: '"test"', PARTS: "{}", EXAMPLES: JSON.stringify(await readExamples("examples")) },
  logLevel: "warning",
});
// The longest first, so that no long one is left alone at the end.
const ofPage = process.argv.slice(2).sort((a, b) => statSync(b).size - statSync(a).size);
const files = [...ofPage, ...tests.map((name) => join(outdir, name.replace(/\.ts$/, ".mjs")))];

let browser;
if (ofPage.some((name) => name.includes("browser/"))) {
  const { startBrowser } = await import("../tests/browser/harness.mjs");
  browser = await startBrowser();
  process.env.CULDESAC_BROWSER = browser.wsEndpoint();
}
// Not `node --test`, which runs files in alphabetical order.
const running = run({ files: files.map((file) => resolve(file)), concurrency: 2 });
let failed = false;
running.on("test:fail", ({ todo }) => (failed ||= !todo));
await pipeline(running, new spec(), process.stdout, { end: false });
await browser?.close();
process.exit(failed ? 1 : 0);
