// Trunk's pre_build hook: builds the engine and bundles the page and its workers with esbuild into target/ui, examples embedded and tours beside them, and
// writes the docs pages beside them.

import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { buildDocs } from "./docs.mjs";
import { buildEngine } from "./engine.mjs";
import { readExamples } from "./examples.mjs";
import { PAGE } from "./page.mjs";

const outdir = "target/ui";
const release = process.env.TRUNK_PROFILE !== "debug";

/** A name for what the build is made from. The engine's files have fixed names, so it is part of their addresses. */
async function fingerprint() {
  const hash = createHash("sha256");
  const visit = async (path) => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) await visit(inner);
      else hash.update(inner).update(await readFile(inner));
    }
  };
  for (const folder of ["crate", "web", "examples"]) await visit(folder);
  for (const file of ["Cargo.lock", "package-lock.json"]) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 12);
}

const examples = await readExamples("examples");
await mkdir(outdir, { recursive: true });
const parts = await buildEngine(outdir, { release });
await build({
  ...PAGE,
  outdir,
  minify: release,
  sourcemap: release ? false : "inline",
  define: {
    BUILD: JSON.stringify(await fingerprint()),
    PARTS: JSON.stringify(parts),
    EXAMPLES: JSON.stringify(examples),
    PRECACHE: "self.precache",
    "process.env.NODE_ENV": '"production"',
  },
});
await build({ ...PAGE, entryPoints: { embed: "web/ui/embed.ts" }, format: "iife", outdir, minify: release });
await build({
  entryPoints: ["web/ui/styles/main.css"],
  outfile: `${outdir}/style.css`,
  bundle: true,
  minify: release,
  logLevel: "warning",
});
await rm(`${outdir}/tours`, { recursive: true, force: true });
await cp("web/tours", `${outdir}/tours`, { recursive: true });
// Anew, so that a page that was taken away does not stay.
await rm(`${outdir}/docs`, { recursive: true, force: true });
const docs = await buildDocs(`${outdir}/docs`);
console.log(`bundled the page with ${examples.length} examples and ${docs.length} docs pages`);
