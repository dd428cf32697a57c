// Reads examples/*.c and examples/*.blocks: each begins with a comment of `Key: text` lines, of which the page shows the title and what to
// look at; `source` cites the paper by its key, `reach` names the line that is asked for. A line without a key continues the one before.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The header's entries, keys in lower case. */
export function header(source) {
  const comment = /^\s*(?:\/\*([\s\S]*?)\*\/|((?:\s*\/\/[^\n]*\n?)+))/.exec(source);
  if (!comment) return {};
  const lines = (comment[1] ?? comment[2]).split("\n").map((line) => line.replace(/^\s*(?:\*|\/\/)?\s?/, "").trim());
  const entries = {};
  let key = null;
  for (const line of lines) {
    const entry = /^([A-Za-z][A-Za-z ]{1,20}):\s*(.*)$/.exec(line);
    if (entry) {
      key = entry[1].toLowerCase();
      entries[key] = entry[2];
    } else if (line === "") {
      key = null;
    } else if (key) {
      entries[key] += ` ${line}`;
    }
  }
  return entries;
}

/** The last line that reads so: headers name lines by what stands there, since they move lines themselves. */
function lineOf(source, text, file) {
  const at = source.split("\n").findLastIndex((line) => line.trim() === text);
  if (at < 0) throw new Error(`${file}: no line reads ${text}`);
  return String(at + 1);
}

/** All examples by name. */
export async function readExamples(folder) {
  const files = (await readdir(folder).catch(() => [])).filter((name) => /\.(?:c|blocks)$/.test(name)).sort();
  return Promise.all(
    files.map(async (file) => {
      const source = (await readFile(join(folder, file), "utf8")).replace(/\r\n/g, "\n");
      const [, name, language] = /^(.*)\.(.*)$/.exec(file);
      const entries = header(source);
      const reach = entries.reach ? lineOf(source, entries.reach, file) : "";
      const paper = /[A-Z]{2,}\d{2}/.exec(entries.source ?? "")?.[0] ?? "";
      return { name, title: entries.title ?? name, lookAt: entries["look at"] ?? entries.look ?? "", paper, reach, source, language };
    }),
  );
}
