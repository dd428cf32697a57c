// The page's engine, from Rust to target/ui: built, split into what a page that opens needs and what is loaded later, bound to
// JavaScript, made small. Called by scripts/bundle.mjs.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const NAME = "culdesac-web";
/** The part that is loaded later, as web/src/questions.rs and the splitter name it. */
const LATER = "split_later.wasm";

const run = async (command, ...args) => {
  try {
    await promisify(execFile)(command, args, { maxBuffer: 1 << 26 });
  } catch (error) {
    if (error.code === "ENOENT") throw new Error(`${command} is missing: ./dev setup installs it`);
    throw new Error(`${command} ${args.join(" ")}\n${error.stderr || error.message}`);
  }
};

/** Below address 1,024 lies nothing but the end of the stack, which no address computed past 2³² may reach: so constants can be folded into
 * accesses. */
const optimise = (from, to) =>
  run("wasm-opt", "-Oz", "--low-memory-unused", "--strip-producers", "--strip-target-features", from, "-o", to);

/** Leaves the engine's script and its two wasm files in `outdir`; what is as it was is not made again. */
export async function buildEngine(outdir, { release }) {
  const target = process.env.CARGO_TARGET_DIR ?? "target";
  const profile = release ? "web" : "dev";
  await run("cargo", "build", "--locked", "--package", NAME, "--profile", profile, "--target", "wasm32-unknown-unknown");
  const built = join(target, "wasm32-unknown-unknown", release ? "web" : "debug", "culdesac_web.wasm");

  const hash = createHash("sha256");
  for (const file of [built, "scripts/engine.mjs", "Trunk.toml", "package-lock.json"]) hash.update(await readFile(file));
  const mark = hash.digest("hex");
  const work = join(target, "engine");
  if ((await readFile(join(work, "mark"), "utf8").catch(() => "")) === mark) return;
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await mkdir(outdir, { recursive: true });

  const [split, bound] = [join(work, "split"), join(work, "bound")];
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
  const files = [
    [join(bound, `${NAME}_bg.wasm`), join(outdir, `${NAME}_bg.wasm`)],
    [join(split, LATER), join(outdir, LATER)],
  ];
  await Promise.all(files.map(([from, to]) => (release ? optimise(from, to) : readFile(from).then((bytes) => writeFile(to, bytes)))));

  // Both scripts in one; the later part has the query of the first, which names the build.
  const loader = await readFile(join(split, "__wasm_split.js"), "utf8");
  const address = `new URL("./${LATER}", import.meta.url)`;
  if (!loader.includes(address)) throw new Error(`the splitter's loader does not fetch ${address} any more`);
  await writeFile(
    join(bound, "__wasm_split.js"),
    loader.replace(address, `new URL("./${LATER}" + new URL(import.meta.url).search, import.meta.url)`),
  );
  await build({
    entryPoints: [join(bound, `${NAME}.js`)],
    outdir,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: release,
    logLevel: "warning",
  });
  await writeFile(join(work, "mark"), mark);
}
