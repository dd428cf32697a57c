// The files in which the engine's parts travel. The splitter makes a file of what one part alone needs (web/src/questions.rs names the
// parts), and a chunk of what a set of parts shares: with ten parts that is a hundred chunks, most of them small. They are merged here by
// when they are needed:
//
//   answer      whatever the answer in the bar needs, with or without others
//   PART        whatever this part alone needs beyond that
//   shared      what several of those parts need beyond the answer
//
// What the documents share with one other part stays in the file of that one, which the documents then load, too: they have a little of
// everything, and no other part should wait for that.
//
// and the loader that the splitter writes is replaced by one that loads these files; the page gives it modules that are compiled.

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The part of the answer: its files are loaded before those of the others. */
const ANSWER = "answer_part";
const SHARED = "part-shared.wasm";
/** The part of the documents to save: only buttons load it. */
const DOCUMENTS = "documents_part";

/** What rustc has LLVM use; written out, since the tools would else write what not all browsers read. */
export const FEATURES = [
  "bulk-memory",
  "bulk-memory-opt",
  "mutable-globals",
  "nontrapping-float-to-int",
  "sign-ext",
  "multivalue",
  "reference-types",
].map((name) => `--enable-${name}`);

/** A module that hands on what all parts import, as one of them declares it in text: merged with it, many imports become one, of the first part. */
function hubOf(part) {
  const imports = [...part.matchAll(/\(import "__wasm_split" "(\w+)" \((memory|table|global) (\$\S+) .*\)\)/g)];
  if (imports.length < 3) throw new Error("the splitter's parts do not import memory, table and stack any more");
  return `(module ${imports.map(([line]) => line.replace("__wasm_split", "first")).join(" ")} ${imports.map(([, name, kind, own]) => `(export "${name}" (${kind} ${own}))`).join(" ")})`;
}

/** Which chunk has what which parts share, by the splitter's loader: a comment with the parts before each chunk. */
function chunksOf(loader) {
  return [
    ...loader.matchAll(/\/\* (.*?) \*\/\s*const __chunk_\d+ = makeLoad\(\(\) => \{\s*const src = fetch\(new URL\("\.\/(chunk_\d+\.wasm)"/g),
  ].map(([, parts, file]) => ({ file, parts: parts.split(", ") }));
}

/** Merges what the splitter left in `split` into a file for each part in `merged`; gives the files of each part, in the order of loading. */
export async function mergeParts(split, merged, run) {
  const loader = await readFile(join(split, "__wasm_split.js"), "utf8");
  const parts = [...loader.matchAll(/export const __wasm_split_load_(\w+) =/g)].map(([, part]) => part).sort();
  const chunks = chunksOf(loader);
  const there = (await readdir(split)).filter((name) => /^(chunk|split)_/.test(name));
  const known = [...chunks.map(({ file }) => file), ...parts.map((part) => `split_${part}.wasm`)];
  const strange = there.filter((name) => !known.includes(name));
  if (strange.length > 0 || parts.length === 0) throw new Error(`the splitter's loader does not read as it did: ${strange.join(", ")}`);

  const fileOf = (part) => `part-${part.replace(/_part$/, "")}.wasm`;
  /** By file, the pieces in it. */
  const pieces = new Map();
  const filesOf = new Map(parts.map((part) => [part, new Set()]));
  const put = (file, piece, needed) => {
    pieces.set(file, [...(pieces.get(file) ?? []), piece]);
    for (const part of needed) filesOf.get(part).add(file);
  };
  for (const { file, parts } of chunks) {
    const [owner, other] = parts.filter((part) => part !== DOCUMENTS);
    put(parts.includes(ANSWER) ? fileOf(ANSWER) : other === undefined ? fileOf(owner) : SHARED, file, parts);
  }
  for (const part of parts) if (there.includes(`split_${part}.wasm`)) put(fileOf(part), `split_${part}.wasm`, [part]);

  const hub = join(merged, "hub.wasm");
  const texts = { answer: join(merged, "answer.wat"), hub: join(merged, "hub.wat") };
  await run("wasm-dis", ...FEATURES, join(split, `split_${ANSWER}.wasm`), "-o", texts.answer);
  await writeFile(texts.hub, hubOf(await readFile(texts.answer, "utf8")));
  await run("wasm-as", ...FEATURES, texts.hub, "-o", hub);
  for (const [file, inner] of pieces) {
    const modules = inner.flatMap((piece, number) => [join(split, piece), `piece${number}`]);
    await run("wasm-merge", ...FEATURES, "-g", hub, "__wasm_split", ...modules, "-o", join(merged, file));
  }
  const order = (file) => (file === fileOf(ANSWER) ? 0 : file === SHARED ? 1 : 2);
  return Object.fromEntries(parts.map((part) => [part, [...filesOf.get(part)].sort((a, b) => order(a) - order(b))]));
}

/** The loader in place of the splitter's: gives a part the memory, the table and the stack of the first one. */
export const loaderOf = (files, script) => `import { initSync } from "${script}";
const FILES = ${JSON.stringify(files)};
let moduleOf = (file) => WebAssembly.compileStreaming(fetch(new URL("./" + file + new URL(import.meta.url).search, import.meta.url)));
export const takeModulesFrom = (of) => void (moduleOf = of);
const instances = new Map();
function instance(file) {
  let made = instances.get(file);
  if (!made) {
    made = moduleOf(file).then((module) => WebAssembly.instantiate(module, { first: initSync() }));
    instances.set(file, made);
    made.catch(() => instances.delete(file));
  }
  return made;
}
const load = (part) => async (callback, data) => {
  let loaded = false;
  try {
    await Promise.all(FILES[part].map(instance));
    loaded = true;
  } catch (error) {
    console.error(error);
  }
  initSync().__indirect_function_table.get(callback)(data, loaded);
};
${Object.keys(files)
  .map((part) => `export const __wasm_split_load_${part} = load("${part}");`)
  .join("\n")}
`;
