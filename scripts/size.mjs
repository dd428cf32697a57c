// The page's weight as it travels, and its budget.

import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";

/**
 * KB of brotli. The engine is two modules: what the page needs to open, and what is loaded when it is first asked for, which
 * repeats the front end and the solver: drawing paths, pruning, explaining, checking and covering. It may be heavier, as nobody waits for it to see the
 * page. The docs, which are loaded one page at a time, all together.
 */
const BUDGETS = { "culdesac-web_bg.wasm": 400, "culdesac-on-demand_bg.wasm": 620, js: 200, css: 10, html: 5, docs: 60 };

const dist = process.argv[2] ?? "dist";
const sums = {};
const files = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
for (const name of files.map((file) => relative(dist, join(file.parentPath, file.name))).sort()) {
  const bytes = await readFile(join(dist, name));
  const size = brotliCompressSync(bytes).length / 1024;
  const kind = name.startsWith("docs/") ? "docs" : name.endsWith(".wasm") ? name : name.split(".").pop();
  sums[kind] = (sums[kind] ?? 0) + size;
  console.log(`${name.padEnd(36)} ${(bytes.length / 1024).toFixed(1).padStart(8)} KB ${size.toFixed(1).padStart(8)} KB brotli`);
}
let over = false;
for (const kind of Object.keys(sums).filter((kind) => !(kind in BUDGETS) && kind.endsWith(".wasm"))) {
  console.error(`${kind} has no budget`);
  over = true;
}
for (const [kind, budget] of Object.entries(BUDGETS)) {
  const size = sums[kind];
  if (size === undefined) {
    console.error(`no ${kind} in ${dist}`);
    over = true;
  } else if (size > budget) {
    console.error(`${kind}: ${size.toFixed(1)} KB of brotli is over the budget of ${budget} KB`);
    over = true;
  }
}
process.exit(over ? 1 : 0);
