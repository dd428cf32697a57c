// Trunk's post_build hook: tells the service worker the files of this build, each with the hash of what it holds.

import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

const folder = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
const names = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/")).sort();
const files = [];
for (const url of names.filter((name) => name !== "sw.js")) {
  const hash = createHash("sha256").update(await readFile(join(folder, url)));
  files.push({ url, revision: hash.digest("hex").slice(0, 16) });
}
const worker = join(folder, "sw.js");
await writeFile(worker, `self.precache=${JSON.stringify(files)};\n${await readFile(worker, "utf8")}`);
console.log(`the page keeps ${files.length} files for use without a network`);
