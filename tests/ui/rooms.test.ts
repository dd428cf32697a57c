// The rooms of the page, and the one way in which they use each other: a file imports from its own room and from the rooms listed
// before it. The picture stands in the header of web/ui/main.ts.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";

const ROOT = "web/ui";

/** From the bottom to the top. */
const ROOMS = ["browser", "text", "engine", "graph", "editor", "state", "parts", "analyses", "session", "frame"];

/** Files outside the rooms: the contract with the engine, and the scripts' entry points, which may use every room. */
const CONTRACT = "protocol.ts";
const ENTRIES = ["main.ts", "worker.ts", "docs-theme.ts", "service-worker.ts", "embed.ts"];

/** The relative imports of a file, as paths from the root of the page. */
const imports = (name: string, source: string): string[] =>
  [...source.matchAll(/(?:from|import) "(\.[^"]*)"/g)].map(([, path]) => join(dirname(name), path!));

const roomOf = (path: string): string | undefined => (path.includes("/") ? path.split("/")[0] : undefined);

/** The imports of a file that lead to a room above its own, or out of the rooms. */
function upward(name: string, source: string): string[] {
  const own = ROOMS.indexOf(roomOf(name) ?? "");
  return imports(name, source).filter((path) => {
    if (`${path}.ts` === CONTRACT) return false;
    const room = ROOMS.indexOf(roomOf(path) ?? "");
    return room < 0 || room > own;
  });
}

test("an import that leads upward is found", () => {
  assert.deepEqual(
    upward(
      "state/run.ts",
      'import { App } from "../frame/app";\nimport type { Run } from "../protocol";\nimport { load } from "../browser/storage";',
    ),
    ["frame/app"],
  );
  assert.deepEqual(upward("analyses/cover/list.tsx", 'import { start } from "../../main";\nimport { coverRun } from "./state";'), ["main"]);
});

test("the rooms of the page use each other one way", async () => {
  const files = (await readdir(ROOT, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  assert.ok(files.length > 100);
  for (const name of files) {
    if (roomOf(name) === undefined) assert.ok(name === CONTRACT || ENTRIES.includes(name), `${name} stands in no room`);
    else assert.deepEqual(upward(name, await readFile(join(ROOT, name), "utf8")), [], name);
  }
});

/** Lines of the entry point that do something instead of calling what does it. */
const ownWork = (source: string): string[] =>
  source
    .split("\n")
    .filter((line) => /^\s*(?:export |async )*(?:function|class|let|for|while|switch)\b|\beffect\(|addEventListener|=> \{/.test(line));

test("main.ts wires the rooms and does nothing else", async () => {
  assert.equal(ownWork("let editor = null;\neffect(() => follow());\nwindow.addEventListener('keydown', run);\nfollow();").length, 3);
  assert.deepEqual(ownWork(await readFile(join(ROOT, "main.ts"), "utf8")), []);
});

test("every room is there, and no other folder but the styles", async () => {
  const folders = (await readdir(ROOT, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  assert.deepEqual(folders.sort(), [...ROOMS, "styles"].sort());
});
