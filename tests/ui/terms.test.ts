// The terms of the papers that the page explains: each is in the glossary, and what is told is what stands there.

import terms from "glossary:terms";
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = "web/ui/analyses";
const marked = (source: string): string[] => [
  ...[...source.matchAll(/<Term of="([^"]+)"/g)].map(([, term]) => term!),
  ...[...source.matchAll(/\bterm: "([^"]+)"/g)].map(([, term]) => term!),
];

test("marked terms are found", () => {
  assert.deepEqual(marked('<p>of <Term of="S′" /> and <Term of="κ">k</Term></p>\n{ name: "x", term: "abstraction" }'), [
    "S′",
    "κ",
    "abstraction",
  ]);
});

test("each term that is marked in the page is in the glossary, and each that is told is marked", async () => {
  const files = (await readdir(ROOT, { recursive: true })).filter((name) => /\.tsx$/.test(name));
  const there = new Map<string, string[]>();
  for (const name of files)
    for (const term of marked(await readFile(join(ROOT, name), "utf8"))) there.set(term, [...(there.get(term) ?? []), name]);
  for (const [term, where] of there) assert.ok(terms[term], `${term} in ${where.join()} is none of web/ui/text/terms.json`);
  const named = await readFile(join(ROOT, "cover/list.tsx"), "utf8");
  for (const term of Object.keys(terms)) assert.ok(there.has(term) || named.includes(`"${term}"`), `${term} is marked nowhere`);
  assert.deepEqual(
    [...there].filter(([, where]) => where.some((name) => name.startsWith("report/"))).map(([term]) => term),
    [],
    "none stands in the Report",
  );
});

test("what is told is the glossary's sentence, plain, with an anchor that is there", async () => {
  const glossary = await readFile("web/docs/glossary.md", "utf8");
  for (const [term, { title, text, anchor }] of Object.entries(terms)) {
    const entry = glossary.split(`\n### ${title}\n`)[1];
    assert.ok(entry, term);
    assert.ok(text.length > 30, term);
    assert.doesNotMatch(text, /[*`[\]]/, term);
    assert.ok(entry.replace(/[*`]/g, "").includes(text.slice(0, 25)), term);
    assert.equal(
      anchor,
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, ""),
      term,
    );
  }
});

/** Terms that only readers of a paper know, as the Report would show them. */
const PAPERS = /S′|Γ|κ|φ̂|cov_[bf]|it_[bf]|[Ss]ubsum|[Bb]ackbone|R-state|S-state/;

test("none of them stands in the Report", async () => {
  for (const name of (await readdir(join(ROOT, "report"))).filter((name) => /\.tsx?$/.test(name))) {
    const source = await readFile(join(ROOT, "report", name), "utf8");
    assert.doesNotMatch(source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""), PAPERS, name);
  }
});
