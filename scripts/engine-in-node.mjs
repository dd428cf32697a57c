// The page's engine in Node, from a built page.

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The engine of the page in this folder, whose parts are read from there. */
export async function engineOf(folder) {
  const engine = await import(pathToFileURL(resolve(folder, "culdesac-web.js")).href);
  const moduleOf = async (file) => WebAssembly.compile(await readFile(join(folder, file)));
  engine.takeModulesFrom(moduleOf);
  engine.initSync({ module: await moduleOf("culdesac-web_bg.wasm") });
  return engine;
}
