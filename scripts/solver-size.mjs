// The solver's share of the WebAssembly: what each layer adds to a module that has the layers before it, built with the
// page's profile and wasm-opt, in KB of brotli. Without the floating-point adviser.
//
//   node scripts/solver-size.mjs

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** KB of brotli. */
const BUDGET = 80;
/** Feature, what is in it, whether it counts: the first layer is needed by the whole engine; the last is the linear-programming part. */
const LAYERS = [
  ["", "numbers, terms, evaluation", false],
  ["deciding", "deciding, certificates, checker", true],
  ["questions", "cores, assumptions, projection, interpolants", true],
  ["optimiser", "smallest witnesses, ranges", false],
];

const root = join(import.meta.dirname, "..");
const folder = join(root, "target/solver-size");
mkdirSync(folder, { recursive: true });
cpSync(join(root, "scripts/solver-size/lib.rs"), join(folder, "lib.rs"));
cpSync(join(root, "Cargo.lock"), join(folder, "Cargo.lock"));
// Of its own workspace, so that neither the features nor the members of the other come in.
const profile = readFileSync(join(root, "Cargo.toml"), "utf8").match(/\[profile\.release\][^[]*/)[0];
writeFileSync(
  join(folder, "Cargo.toml"),
  `[workspace]
[package]
name = "solver-size"
edition = "2024"
[lib]
path = "lib.rs"
crate-type = ["cdylib"]
[features]
deciding = []
questions = ["deciding"]
optimiser = ["questions"]
[dependencies]
culdesac = { path = ${JSON.stringify(root)}, default-features = false }
${profile}
[profile.web]
inherits = "release"
opt-level = "z"
`,
);

const run = (program, options) => execFileSync(program, options, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
let [before, share] = [0, 0];
for (const [feature, what, counts] of LAYERS) {
  run("cargo", [
    "build",
    "--quiet",
    "--profile",
    "web",
    "--target",
    "wasm32-unknown-unknown",
    "--target-dir",
    join(folder, "target"),
    "--features",
    feature,
  ]);
  const built = join(folder, "target/wasm32-unknown-unknown/web/solver_size.wasm");
  const small = join(folder, "small.wasm");
  run(join(root, "node_modules/.bin/wasm-opt"), ["-Oz", "--low-memory-unused", "--all-features", built, "-o", small]);
  const size = brotliCompressSync(readFileSync(small)).length / 1024;
  console.log(`${what.padEnd(48)} ${(size - before).toFixed(1).padStart(6)} KB brotli, together ${size.toFixed(1)}`);
  if (counts) share += size - before;
  before = size;
}
console.log(`the solver's share: ${share.toFixed(1)} KB of ${BUDGET}`);
process.exit(share > BUDGET ? 1 : 0);
