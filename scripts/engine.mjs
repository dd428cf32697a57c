// The page's engine, from Rust to target/ui: built, split into parts by use, bound to
// JavaScript, made small. Called by scripts/bundle.mjs.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { FEATURES, loaderOf, mergeParts } from "./parts.mjs";

const NAME = "culdesac-web";

const run = async (command, ...args) => {
  try {
    await promisify(execFile)(command, args, { maxBuffer: 1 << 26 });
  } catch (error) {
    if (error.code === "ENOENT") throw new Error(`${command} is missing: ./dev setup installs it`);
    throw new Error(`${command} ${args.join(" ")}\n${error.stderr || error.message}`);
  }
};

/** Below address 1,024 lies nothing but the end of the stack, which no address computed past 2³² may reach: so constants can be folded into
 * accesses. Flat code has its blocks and locals laid out anew, which the second pass profits from; functions of one generic stand next to each
 * other by their names, and brotli finds what they share; a large function with one caller stays apart from it. Together 4 % of what travels. */
const optimise = (from, to) => {
  const smaller = ["--flatten", "--rereloop", "-Oz", "-Oz", "--reorder-functions-by-name", "--one-caller-inline-max-function-size=100"];
  return run("wasm-opt", ...FEATURES, ...smaller, "--low-memory-unused", "--strip-producers", "--strip-target-features", from, "-o", to);
};

/** Leaves the engine's script and its wasm files in `outdir`, and says which files each part has; what is as it was is not made again. */
export async function buildEngine(outdir, { release }) {
  const target = process.env.CARGO_TARGET_DIR ?? "target";
  const profile = release ? "web" : "dev";
  await run("cargo", "build", "--locked", "--package", NAME, "--profile", profile, "--target", "wasm32-unknown-unknown");
  const built = join(target, "wasm32-unknown-unknown", release ? "web" : "debug", "culdesac_web.wasm");

  const hash = createHash("sha256");
  for (const file of [built, "scripts/engine.mjs", "scripts/parts.mjs", "Trunk.toml", "package-lock.json"])
    hash.update(await readFile(file));
  const mark = hash.digest("hex");
  const work = join(target, "engine");
  const before = JSON.parse(await readFile(join(work, "mark.json"), "utf8").catch(() => "{}"));
  if (before.mark === mark) return before.parts;
  const [split, bound, merged] = [join(work, "split"), join(work, "bound"), join(work, "merged")];
  await rm(work, { recursive: true, force: true });
  for (const folder of [merged, outdir]) await mkdir(folder, { recursive: true });

  await run("wasm-split-cli", "--target", "web", "--out-name", NAME, built, split);
  // The parts meet in the table and the memory, which are exported for that.
  await run(
    "wasm-bindgen",
    "--target",
    "web",
    "--no-typescript",
    "--keep-lld-exports",
    "--out-dir",
    bound,
    "--out-name",
    NAME,
    join(split, `${NAME}.wasm`),
  );
  const files = await mergeParts(split, merged, run);
  const all = [...new Set(Object.values(files).flat())];
  const made = [
    [join(bound, `${NAME}_bg.wasm`), join(outdir, `${NAME}_bg.wasm`)],
    ...all.map((file) => [join(merged, file), join(outdir, file)]),
  ];
  for (const name of await readdir(outdir)) if (/^part-.*\.wasm$/.test(name) && !all.includes(name)) await rm(join(outdir, name));
  await Promise.all(made.map(([from, to]) => (release ? optimise(from, to) : copyFile(from, to))));

  // Both scripts in one.
  await writeFile(join(bound, "__wasm_split.js"), loaderOf(files, `./${NAME}.js`));
  const script = `export * from "./${NAME}.js"; export { default } from "./${NAME}.js"; export { takeModulesFrom } from "./__wasm_split.js";`;
  await writeFile(join(bound, "entry.js"), script);
  await build({
    entryPoints: { [NAME]: join(bound, "entry.js") },
    outdir,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: release,
    logLevel: "error",
  });
  const parts = Object.fromEntries(Object.entries(files).map(([part, files]) => [part.replace(/_part$/, ""), files]));
  await writeFile(join(work, "mark.json"), JSON.stringify({ mark, parts }));
  return parts;
}
