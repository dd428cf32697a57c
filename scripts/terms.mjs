// The glossary's sentences for the terms that the page explains (web/ui/text/terms.json), as a module for esbuild: `import terms from
// "glossary:terms"`. The docs page and the page say the same, since there is one source.

import { readFile } from "node:fs/promises";

/** A paragraph without markup, and without where it comes from. */
const plain = (text) =>
  text
    .replace(/\s*\*[^*]*\*\s*$/, "")
    .replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]/g, "");

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

/** Of each term its heading in the glossary, the paragraph below and the anchor; a term that is not there ends the build. */
export async function readTerms() {
  const [list, glossary] = await Promise.all(["web/ui/text/terms.json", "web/docs/glossary.md"].map((path) => readFile(path, "utf8")));
  const entries = new Map([...glossary.matchAll(/^### (.+)\n\n(.+)$/gm)].map(([, title, text]) => [title, text]));
  return Object.fromEntries(
    Object.entries(JSON.parse(list)).map(([term, title]) => {
      const text = entries.get(title);
      if (!text) throw new Error(`web/docs/glossary.md has no entry "${title}" for the term ${term}`);
      return [term, { title, text: plain(text), anchor: slug(title) }];
    }),
  );
}

export const terms = {
  name: "terms",
  setup(build) {
    build.onResolve({ filter: /^glossary:terms$/ }, ({ path }) => ({ path, namespace: "glossary" }));
    build.onLoad({ filter: /.*/, namespace: "glossary" }, async () => ({ contents: JSON.stringify(await readTerms()), loader: "json" }));
  },
};
