// The docs pages: web/docs/*.md become static pages in a folder of their own, with an index, in the page's look. The last page,
// *Licences*, is made from the packages that the page ships (scripts/licences.mjs).
//
//   node scripts/docs.mjs [OUTDIR]      (the bundle does the same on every build)
//
// A page's first line is its title. Its headings get anchors, and a table of contents from four sections on. What is
// mentioned has to exist: a link to another page or anchor that leads nowhere, a picture (an SVG beside the pages) or a file
// of this repository that is not there, ends the build with its place.

import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Marked } from "marked";
import { licencesPage } from "./licences.mjs";

/** Pages with fewer sections have no table of contents. */
const SECTIONS = 4;

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
/** A heading's text without markup. */
const plain = (tokens) => tokens.map((token) => (token.tokens ? plain(token.tokens) : (token.text ?? ""))).join("");
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

/** The tokens of a page with the line where each block begins. */
function* blocks(tokens) {
  let line = 1;
  for (const token of tokens) {
    yield [token, line];
    line += token.raw.split("\n").length - 1;
  }
}

function* inside(token) {
  yield token;
  const cells = token.type === "table" ? [...token.header, ...token.rows.flat()] : [];
  for (const inner of [...(token.tokens ?? []), ...(token.items ?? []), ...cells]) yield* inside(inner);
}

/** A page as read: title, summary (its first paragraph), headings, links with their lines, and tokens. */
function read(name, source) {
  const text = source.replace(/\r\n?/g, "\n");
  const tokens = new Marked().lexer(text);
  const page = { name, text, tokens, title: "", summary: "", headings: [], links: [], pictures: [], wrong: [] };
  for (const [block, line] of blocks(tokens)) {
    if (block.type === "heading") {
      const title = plain(block.tokens);
      if (block.depth === 1 && line === 1) page.title = title;
      else if (block.depth === 1) page.wrong.push([line, "a second title: sections begin with `##`"]);
      const id = slug(title);
      if (page.headings.some((other) => other.id === id)) page.wrong.push([line, `the heading "${title}" is there twice`]);
      block.id = id;
      page.headings.push({ id, title, depth: block.depth });
    }
    if (block.type === "paragraph" && !page.summary) page.summary = plain(block.tokens);
    for (const token of inside(block)) {
      const at = line + block.raw.slice(0, Math.max(0, block.raw.indexOf(token.raw))).split("\n").length - 1;
      if (token.type === "link") page.links.push({ href: token.href, line: at });
      if (token.type === "html" && !/^\s*<!--/.test(token.raw)) page.wrong.push([at, "only text, no HTML"]);
      if (token.type === "image") {
        page.pictures.push({ href: token.href, line: at });
        if (!token.text) page.wrong.push([at, "the picture says nothing to those who do not see it: `![what it shows](name.svg)`"]);
      }
    }
  }
  if (!page.title) page.wrong.push([1, "the first line is not a title (`# …`)"]);
  return page;
}

/** What is wrong with pages, given as `{ name: text }`: `file:line: what`. */
export function problems(sources, exists) {
  return found(
    Object.entries(sources).map(([name, text]) => read(name, text)),
    exists,
  );
}

function found(pages, exists) {
  const wrong = [];
  const add = (page, line, what) => wrong.push(`web/docs/${page.name}.md:${line}: ${what}`);
  for (const page of pages) {
    for (const [line, what] of page.wrong) add(page, line, what);
    for (const { href, line } of page.links) {
      if (/^https:\/\//.test(href)) continue;
      const [, target, anchor] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(href) ?? [];
      if (!target && !anchor) {
        add(page, line, `the link \`${href}\` is neither \`page.md\`, \`#anchor\` nor \`https://…\``);
        continue;
      }
      const other = target ? pages.find((page) => page.name === target) : page;
      if (!other) add(page, line, `the link \`${href}\` leads to no page`);
      else if (anchor && !other.headings.some(({ id }) => id === decodeURIComponent(anchor)))
        add(page, line, `the link \`${href}\` leads to no heading`);
    }
    for (const { href, line } of page.pictures) {
      if (!/^[\w-]+\.svg$/.test(href) || !exists(`web/docs/${href}`)) add(page, line, `the picture \`${href}\` is no SVG in web/docs`);
    }
    page.text.split("\n").forEach((line, index) => {
      for (const [path] of line.matchAll(/(?<![\w./-])(?:examples|crate|web|tests|scripts|benches)\/[\w/-]+(?:\.[\w-]+)*/g)) {
        if (!exists(path)) add(page, index + 1, `there is no \`${path}\``);
      }
    });
  }
  return wrong;
}

/** The text of a page as HTML. */
function body(page) {
  const marked = new Marked();
  // With roles: phones show rows of text as blocks, and browsers then take them for anything but a table.
  const heading = (parser, token) =>
    `<th role="columnheader"${token.align === "right" ? ' class="number"' : ""}>${parser.parseInline(token.tokens)}</th>`;
  const cell = (parser, token, { tokens }) =>
    `<td role="cell"${token.align === "right" ? ' class="number"' : ""} data-heading="${escaped(plain(tokens))}">${parser.parseInline(token.tokens)}</td>`;
  marked.use({
    renderer: {
      heading({ id, depth, tokens }) {
        const text = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${text}</h1>\n${contents(page)}`;
        return `<h${depth} id="${id}">${text} <a class="anchor" href="#${id}" aria-label="Link to “${escaped(plain(tokens))}”">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(href.replace(/^([\w-]+)\.md/, "$1.html"))}">${this.parser.parseInline(tokens)}</a>`;
      },
      // Wide pictures scroll too, rather than become too small to read.
      image({ href, text }) {
        return `<span class="picture" tabindex="0" role="group" aria-label="Picture"><img src="${escaped(href)}" alt="${escaped(text)}" /></span>`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      // Wide tables scroll in a frame of their own; the keyboard has to reach it.
      table({ header, rows }) {
        const kind = header.some(({ align }) => align === "right") ? "numbers" : "texts";
        const head = header.map((token) => heading(this.parser, token)).join("");
        const rest = rows
          .map((row) => `<tr role="row">${row.map((token, at) => cell(this.parser, token, header[at])).join("")}</tr>`)
          .join("\n");
        return `<div class="table" tabindex="0"><table role="table" class="${kind}">\n<thead role="rowgroup"><tr role="row">${head}</tr></thead>\n<tbody role="rowgroup">\n${rest}\n</tbody></table></div>\n`;
      },
      html: () => "",
    },
  });
  return marked.parser(page.tokens);
}

function contents(page) {
  const sections = page.headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (sections.filter(({ depth }) => depth === 2).length < SECTIONS) return "";
  const entry = ({ id, title, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escaped(title)}</a></li>`;
  return `<div class="side"><nav class="contents" aria-labelledby="contents-title"><p id="contents-title">On this page</p><ul>\n${sections.map(entry).join("\n")}\n</ul></nav></div>\n`;
}

const frame = ({ title, summary, main, icon, index }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'" />
<meta name="description" content="${escaped(summary)}" />
<meta name="color-scheme" content="light dark" />
<title>${escaped(title)} · culdesac</title>
${icon}
<link rel="stylesheet" href="docs.css" />
<script src="theme.js"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header><a class="home" href="../">culdesac</a><nav aria-label="Docs"><a href="index.html"${index ? ' aria-current="page"' : ""}>Docs</a></nav><a class="back" href="../">To the program</a></header>
<main id="text" tabindex="-1">
${main}</main>
</body>
</html>
`;

/** The dark colours also where no script says which theme is wanted. */
async function style(outdir) {
  const folder = "web/ui/styles";
  const dark = /:root\[data-theme="dark"\] (\{[^}]*\})/.exec(await readFile(join(folder, "theme.css"), "utf8"));
  if (!dark) throw new Error(`${folder}/theme.css has no dark colours`);
  const contents = `@import "./docs.css";\n@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) ${dark[1]} }`;
  await build({
    stdin: { contents, resolveDir: folder, loader: "css" },
    outfile: join(outdir, "docs.css"),
    bundle: true,
    minify: true,
    logLevel: "warning",
  });
  await build({
    entryPoints: ["web/ui/docs-theme.ts"],
    outfile: join(outdir, "theme.js"),
    bundle: true,
    format: "iife",
    minify: true,
    logLevel: "warning",
  });
}

/** Writes all pages and gives their names. */
export async function buildDocs(outdir) {
  const folder = "web/docs";
  const names = (await readdir(folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.slice(0, -3))
    .sort();
  const pages = await Promise.all(names.map(async (name) => read(name, await readFile(join(folder, `${name}.md`), "utf8"))));
  pages.push(read("licences", await licencesPage()));
  const wrong = found(pages, existsSync);
  if (wrong.length) throw new Error(`\n${wrong.join("\n")}`);
  const icon = /<link rel="icon"[^>]*>/.exec(await readFile("web/index.html", "utf8"))?.[0] ?? "";
  await mkdir(outdir, { recursive: true });
  for (const page of pages) {
    await writeFile(join(outdir, `${page.name}.html`), frame({ ...page, icon, main: body(page) }));
    for (const { href } of page.pictures) await copyFile(join(folder, href), join(outdir, href));
  }
  const list = pages.map(({ name, title, summary }) => `<li><a href="${name}.html">${escaped(title)}</a><p>${escaped(summary)}</p></li>`);
  const main = `<h1>Docs</h1>\n<ul class="pages">\n${list.join("\n")}\n</ul>\n`;
  await writeFile(join(outdir, "index.html"), frame({ title: "Docs", summary: "The docs of culdesac.", icon, main, index: true }));
  await style(outdir);
  return pages.map(({ name }) => name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdir = process.argv[2] ?? "target/ui/docs";
  try {
    console.log(`${outdir}: ${(await buildDocs(outdir)).join(", ")}`);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
