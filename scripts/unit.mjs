// Bundles tests/ui/*.test.ts for Node and runs them, with any other test files that are named. Those of the page share one browser,
// each test in a context of its own, and run two files at a time.

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const from = "tests/ui";
const outdir = "target/ui-tests";
await rm(outdir, { recursive: true, force: true });
const tests = (await readdir(from)).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => join(from, name)),
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  define: { BUILD: '"test"', EXAMPLES: "[]" },
  logLevel: "warning",
});
// The longest first, so that no long one is left alone at the end.
const ofPage = process.argv.slice(2).sort((a, b) => statSync(b).size - statSync(a).size);
const files = [...ofPage, ...tests.map((name) => join(outdir, name.replace(/\.ts$/, ".mjs")))];

const environment = { ...process.env };
let browser;
if (ofPage.some((name) => name.includes("browser/"))) {
  const { startBrowser } = await import("../tests/browser/harness.mjs");
  browser = await startBrowser();
  environment.CULDESAC_BROWSER = browser.wsEndpoint();
}
const run = spawn(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=2", ...files], { stdio: "inherit", env: environment });
const status = await new Promise((resolve) => run.once("exit", (code) => resolve(code ?? 1)));
await browser?.close();
process.exit(status);
