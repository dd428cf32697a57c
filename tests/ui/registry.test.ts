// Each analysis stands in its folder; the rest of the page knows them through the registries alone.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { analyses, choices } from "../../web/ui/analyses/registry";

const ROOT = "web/ui";

/** Files of the frame that are about single analyses: the headline is made of Cover and Paths, the bar of the path runs an input. */
const ABOUT_ONE = ["frame/headline.tsx", "frame/path-bar.tsx"];

/** The folders of analyses that a file imports from. */
const imported = (source: string): string[] => [...source.matchAll(/from "(?:\.\.?\/)+analyses\/([\w-]+)\//g)].map(([, folder]) => folder!);

test("imports are found", () => {
  assert.deepEqual(
    imported(
      'import { a } from "./analyses/cover/state";\nimport type { B } from "../analyses/registry";\n} from "../analyses/paths/settings";',
    ),
    ["cover", "paths"],
  );
});

test("no shared file of the page knows a single analysis", async () => {
  const files = (await readdir(ROOT, { recursive: true })).filter((name) => /\.tsx?$/.test(name) && !name.startsWith("analyses"));
  assert.ok(files.length > 30);
  for (const name of files) {
    if (!ABOUT_ONE.includes(name)) assert.deepEqual(imported(await readFile(join(ROOT, name), "utf8")), [], name);
  }
});

test("every folder is an analysis with an object of its name", async () => {
  const folders = (await readdir(join(ROOT, "analyses"), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  assert.deepEqual(folders.sort(), analyses.map(({ id }) => id).sort());
});

test("nothing is told apart by a name that two have", () => {
  const sources = analyses.flatMap(({ paths = [] }) => paths.map(({ id }) => id));
  for (const names of [analyses.map(({ id }) => id), choices.map(({ key }) => key), sources])
    assert.equal(new Set(names).size, names.length, names.join());
  for (const { keeps = [] } of analyses)
    assert.equal(new Set(["selected", "path", ...keeps.map(({ name }) => name)]).size, keeps.length + 2);
});

test("links keep their keys", () => {
  const keys = choices.map(({ key }) => key);
  for (const key of ["paths", "draw", "prune", "explain", "cover", "compare", "run"]) assert.ok(keys.includes(key), key);
});
