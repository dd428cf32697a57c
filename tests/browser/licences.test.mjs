// The page of licences: every package in the page with its notice, and nothing under a licence that is not known.

import assert from "node:assert/strict";
import test from "node:test";
import { chosen, licencesPage, parts } from "../../scripts/licences.mjs";

test("one licence of each choice is taken, and an unknown one ends the build", () => {
  assert.deepEqual(chosen("MIT OR Apache-2.0", "p"), ["MIT"]);
  assert.deepEqual(chosen("Apache-2.0/MIT", "p"), ["MIT"]);
  assert.deepEqual(chosen("(Apache-2.0 OR Zlib) AND Unicode-3.0", "p"), ["Zlib", "Unicode-3.0"]);
  assert.throws(() => chosen("GPL-3.0-only", "p 1.0"), /p 1\.0 has the licence `GPL-3\.0-only`/);
  assert.throws(() => chosen("MIT AND SSPL-1.0", "p 1.0"), /does not know/);
  assert.throws(() => chosen(undefined, "p 1.0"), /`none`/);
});

test("copyright stands apart from the text, which may speak of copyright", () => {
  const text =
    "The MIT License (MIT)\n\nCopyright (c) 1 A\nCopyright (c) 2 B\n\nPermission …\n\nThe above copyright notice …\n\nCopyright holders …\n";
  assert.deepEqual(parts(text), {
    copyright: ["Copyright (c) 1 A", "Copyright (c) 2 B"],
    text: "Permission …\n\nThe above copyright notice …\n\nCopyright holders …",
  });
});

test("the page names what is in the page, the same each time", async () => {
  const page = await licencesPage();
  for (const name of ["num-bigint", "wasm-bindgen", "preact", "@codemirror/view", "fflate", "Rust’s standard library"]) {
    assert.match(page, new RegExp(`^${name} .*\\((crate|npm)\\)`, "m"));
  }
  for (const tool of ["esbuild", "typescript", "serde_derive", "clap", "culdesac"])
    assert.doesNotMatch(page, new RegExp(`^${tool} [\\d.]+ \\(`, "m"));
  assert.equal(await licencesPage(), page);
});
