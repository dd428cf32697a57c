// Bundles tests/ui/*.test.ts for Node and runs them, with any other test files that are named.

import { spawnSync } from "node:child_process";
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
const files = [...tests.map((name) => join(outdir, name.replace(/\.ts$/, ".mjs"))), ...process.argv.slice(2)];
// One file at a time: the browser tests measure how long the page is blocked, for scripts/speed.mjs.
const run = spawnSync(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=1", ...files], { stdio: "inherit" });
process.exit(run.status ?? 1);
