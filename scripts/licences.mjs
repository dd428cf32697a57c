// The docs page *Licences*: the notices of all packages whose code the page ships, made from the files that the packages bring.
//
//   node scripts/licences.mjs      prints the page (the docs do the same on every build)
//
// The crates are those that the page's engine links, as cargo tells; the npm packages are those of which esbuild puts bytes into the
// bundle. Of licences between which a package lets choose, the first of PREFERRED is taken. Packages with the same text share it:
// each is listed with its own lines of copyright. A licence that is not in PREFERRED ends the build, and so does a package without
// a licence file, unless TEXTS has the text of its licence.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { PAGE } from "./page.mjs";

const ENGINE = "culdesac-web";
const TARGET = "wasm32-unknown-unknown";

/** Licences whose code may be shipped, by SPDX's names, and the files that have their texts beside plain LICENSE. */
const PREFERRED = {
  MIT: /mit/i,
  Zlib: /zlib/i,
  ISC: /isc/i,
  "0BSD": /0bsd/i,
  "BSD-2-Clause": /bsd/i,
  "BSD-3-Clause": /bsd/i,
  "CC0-1.0": /cc0/i,
  "Unicode-3.0": /unicode/i,
  "Apache-2.0": /apache/i,
};
const NAMES = {
  MIT: "MIT License",
  Zlib: "zlib License",
  "CC0-1.0": "Creative Commons Zero",
  "Unicode-3.0": "Unicode License v3",
  "Apache-2.0": "Apache License 2.0",
};

/** Texts for packages that name their licence and bring no file of it. */
const TEXTS = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};

/** The licences that all apply, one of each choice: `(MIT OR Apache-2.0) AND Zlib` gives `["MIT", "Zlib"]`. */
export function chosen(expression, of) {
  return (expression ?? "").split(/\s+AND\s+/).map((part) => {
    const choice = part
      .replace(/[()]/g, "")
      .split(/\s+OR\s+|\s*\/\s*/)
      .map((name) => name.trim());
    const taken = Object.keys(PREFERRED).find((name) => choice.includes(name));
    if (!taken) throw new Error(`${of} has the licence \`${expression ?? "none"}\`, which scripts/licences.mjs does not know`);
    return taken;
  });
}

/** A licence's text without its title and its lines of copyright, and these lines. */
export function parts(text) {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .trim()
    .split(/\n\s*\n/);
  const copyright = [];
  const rest = [];
  for (const paragraph of paragraphs) {
    // Only in front: the text of a licence speaks of copyright too.
    const notice = rest.length === 0 && /^\s*(?:copyright|\(c\)|©)/i.test(paragraph);
    if (notice) copyright.push(...paragraph.split("\n").map((line) => line.trim()));
    else if (rest.length > 0 || !/^\W*(?:the )?(?:mit|isc|zlib) licen[sc]e\b[^\n]*$/i.test(paragraph.trim())) rest.push(paragraph);
  }
  return { copyright, text: rest.join("\n\n") };
}

/** What is the same where texts differ in line breaks and marks alone. */
const key = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

function read(folder, licence, who) {
  const files = readdirSync(folder)
    .filter((file) => /^(?:un)?licen[sc]e|^copying/i.test(file))
    .sort();
  const other = Object.values(PREFERRED);
  const file = files.find((name) => PREFERRED[licence].test(name)) ?? files.find((name) => !other.some((pattern) => pattern.test(name)));
  if (file) return parts(readFileSync(join(folder, file), "utf8"));
  if (!TEXTS[licence])
    throw new Error(`${who.name} ${who.version} has no file with its licence (${licence}), and scripts/licences.mjs has no text of it`);
  return { copyright: [`Copyright (c) ${who.authors || `the authors of ${who.name}`}`], text: TEXTS[licence] };
}

const cargo = (...args) =>
  execFileSync("cargo", [...args, "--locked"], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] });

/** The crates in the engine but for this project's own, and Rust's standard library. */
function crates() {
  const linked = cargo(
    "tree",
    "--package",
    ENGINE,
    "--target",
    TARGET,
    "--edges",
    "normal,no-proc-macro",
    "--prefix",
    "none",
    "--format",
    "{p}",
  );
  const names = new Set(
    linked
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(" ").slice(0, 2).join(" ")),
  );
  const { packages } = JSON.parse(cargo("metadata", "--format-version", "1", "--filter-platform", TARGET));
  const listed = packages
    .filter(({ name, version, source }) => source && names.has(`${name} v${version}`))
    .map(({ name, version, license, authors, manifest_path }) => ({
      name,
      version,
      license,
      authors: authors.map((author) => author.replace(/\s*<.*/, "")).join(", "),
      folder: dirname(manifest_path),
    }));
  return [
    ...listed,
    { name: "Rust’s standard library", version: "", license: "MIT OR Apache-2.0", authors: "The Rust Project Contributors" },
  ];
}

/** The npm packages in the bundle. */
async function modules() {
  const { metafile } = await build({ ...PAGE, outdir: "out", write: false, metafile: true });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const names = new Set(inputs.map(([path]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[0]).filter(Boolean));
  return [...names].sort().map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { name, version, license, authors: (typeof author === "string" ? author : (author?.name ?? "")).replace(/\s*<.*/, ""), folder };
  });
}

/** The page as text of docs. */
export async function licencesPage() {
  const kinds = [
    ["crate", crates()],
    ["npm", await modules()],
  ];
  const groups = new Map();
  for (const [kind, packages] of kinds) {
    for (const who of packages) {
      for (const licence of chosen(who.license, `${who.name} ${who.version}`)) {
        const { copyright, text } =
          who.folder && existsSync(who.folder)
            ? read(who.folder, licence, who)
            : { copyright: [`Copyright (c) ${who.authors}`], text: TEXTS[licence] };
        const id = `${licence} ${key(text)}`;
        if (!groups.has(id)) groups.set(id, { licence, text, members: [] });
        groups
          .get(id)
          .members.push(`${`${who.name} ${who.version}`.trim()} (${kind})${copyright.length ? `: ${copyright.join("; ")}` : ""}`);
      }
    }
  }
  const order = Object.keys(PREFERRED);
  const sorted = [...groups.values()].sort(
    (a, b) => order.indexOf(a.licence) - order.indexOf(b.licence) || b.members.length - a.members.length || (a.text < b.text ? -1 : 1),
  );
  const seen = {};
  const sections = sorted.map(({ licence, text, members }) => {
    seen[licence] = (seen[licence] ?? 0) + 1;
    const title = `${NAMES[licence] ?? licence}${seen[licence] > 1 ? `, text ${seen[licence]}` : ""}`;
    return `## ${title}\n\n\`\`\`text\n${members.join("\n")}\n\n${text.replace(/```/g, "'''")}\n\`\`\`\n`;
  });
  const count = kinds.map(([, packages]) => packages.length);
  return `# Licences

culdesac itself is under the MIT License or the Apache License 2.0, as you like. The page contains code of ${count[0]} Rust packages and ${count[1]} npm packages under these licences; packages with the same text stand above it, each with its lines of copyright. What you write, and the suites of tests that you export, are yours.

${sections.join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await licencesPage());
