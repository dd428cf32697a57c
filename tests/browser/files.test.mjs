// Files and folders that are dropped on the page, as the browser hands them over: tabs of one program, with a word on what was left out.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { answered, launch, open, setProgram, until, upToDate, violations } from "./harness.mjs";

let site;
let folder;
before(async () => {
  site = await launch();
  folder = await mkdtemp(join(tmpdir(), "culdesac-files-"));
});
after(async () => {
  await site?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** Writes files into a folder of its own; gives back the folder. */
async function written(name, files) {
  const root = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

/** Drops files or folders of this machine on the program, as a person does from a window of files. */
async function drop(page, ...files) {
  const { x, y, width, height } = await page.locator(".cm-content").boundingBox();
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await session.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + Math.min(height, 200) / 2, data });
  await session.detach();
}

const tabs = (page) => page.getByRole("navigation", { name: "Files" }).getByRole("button");
const current = (page) => page.locator('.file-tabs [aria-current="true"]').innerText();
const said = (page) => page.locator(".notices .notice").innerText();
const told = (page, pattern) => until(async () => (await page.locator(".notices .notice").count()) > 0 && pattern.test(await said(page)));

const LIMIT = "#ifndef LIMIT_H\n#define LIMIT_H\nint limit(int x);\n#endif\n";
const MAIN = '#include "inc/limit.h"\nint main(int n) {\n  if (limit(n) > 9)\n    return 1;\n  return 0;\n}\n';
const OWN = "int own(int x) {\n  return x + 1;\n}\n";

test("a folder is one program: its C files and headers are tabs, what is left out is named, and undo brings back what was there", async () => {
  const root = await written("project", {
    "src/main.c": MAIN,
    "src/limit.c": '#include "limit.h"\nint limit(int x) {\n  return x > 9 ? 9 : x;\n}\n',
    "inc/limit.h": LIMIT,
    Makefile: "all:\n\tcc src/*.c\n",
    "notes.md": "To do.\n",
    "build/limit.o": Buffer.from([127, 69, 76, 70, 0, 1]),
    "build/core.c": Buffer.from([127, 69, 76, 70, 0, 1]),
    "large.c": `/*${" ".repeat(5 << 20)}*/\n`,
    ".git/config.c": "this is no C\n",
  });
  const { page, context, errors } = await open(site);
  await setProgram(page, OWN);
  await upToDate(page);
  assert.equal(await tabs(page).count(), 0);
  await drop(page, root);
  await told(page, /^Opened src\/limit\.c, src\/main\.c as one program\./);
  const text = await said(page);
  for (const why of [/build\/core\.c \(binary\)/, /large\.c \(more than 4 MB\)/, /Makefile \(neither C nor coverage\)/])
    assert.match(text, why);
  assert.match(text, /and 1 other file\b/);
  assert.doesNotMatch(text, /\.git|Not among them/);
  await upToDate(page);
  assert.deepEqual(await tabs(page).allInnerTexts(), ["src/limit.c", "inc/limit.h", "src/main.c"]);
  assert.match(await answered(page), /\d branches can/);
  assert.deepEqual(await violations(page), []);

  await tabs(page).last().click();
  await until(async () => (await current(page)) === "src/main.c");
  const main = page.locator(".cm-file", { hasText: "src/main.c" });
  const [heading, editor] = [await main.boundingBox(), await page.locator(".editor").boundingBox()];
  assert.ok(heading.y >= editor.y - 1 && heading.y < editor.y + editor.height, "the heading is in view");
  // The cursor moves, and the tab of its file follows.
  await page.keyboard.press("ControlOrMeta+Home");
  await until(async () => (await current(page)) === "src/limit.c");

  await page.getByRole("button", { name: "Back to my own program" }).click();
  await until(async () => (await page.locator(".cm-content").innerText()).includes("int own"));
  assert.equal(await tabs(page).count(), 0);
  // The same by keys, and forth again.
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+z");
  await until(async () => (await tabs(page).count()) === 3);
  await page.keyboard.press("ControlOrMeta+z");
  await until(async () => (await page.locator(".cm-content").innerText()).includes("int own"));
  assert.deepEqual(errors, []);
  await context.close();
});

test("several files come with their coverage; a file that is neither is named, and one press brings back the program before", async () => {
  const root = await written("several", {
    "main.c": MAIN,
    "limit.c": "int limit(int x) {\n  return x;\n}\n",
    "limit.h": LIMIT,
    "tests.info": "TN:\nSF:main.c\nFN:2,main\nend_of_record\n",
    "notes.txt": "To do.\n",
  });
  const { page, context, errors } = await open(site);
  await setProgram(page, OWN);
  await upToDate(page);
  await drop(page, ...["main.c", "limit.h", "notes.txt", "limit.c"].map((name) => join(root, name)));
  await told(page, /^Opened limit\.c, main\.c as one program\. Left out: notes\.txt \(neither C nor coverage\)\.$/m);
  await upToDate(page);
  assert.deepEqual(await tabs(page).allInnerTexts(), ["limit.c", "main.c", "limit.h"]);
  await page.getByRole("button", { name: "Back to my own program" }).click();
  await until(async () => (await page.locator(".cm-content").innerText()).includes("int own"));

  // Coverage with which something is wrong: the program came all the same, and is said to have come.
  await drop(page, ...["limit.c", "tests.info"].map((name) => join(root, name)));
  await told(page, /^Opened limit\.c\. The coverage was not added: /);
  await page.getByRole("button", { name: "Back to my own program" }).click();
  await until(async () => (await page.locator(".cm-content").innerText()).includes("int own"));
  assert.deepEqual(errors, []);
  await context.close();
});

test("files of which none is C change nothing, and the reason of each is said", async () => {
  const root = await written("none", { "a.c": Buffer.from([0, 1, 2]), "b.md": "# b\n" });
  const { page, context, errors } = await open(site);
  await setProgram(page, OWN);
  await upToDate(page);
  await drop(page, root);
  await told(page, /^None of these files is a C program\b.*Left out: a\.c \(binary\), b\.md \(neither C nor coverage\)\.$/m);
  assert.match(await page.locator(".cm-content").innerText(), /int own/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("files of one name in two folders are told apart by their paths", async () => {
  const root = await written("twice", {
    "a/part.c": '#include "part.h"\nint first(void) {\n  return PART;\n}\n',
    "a/part.h": "#define PART 1\n",
    "b/part.c": '#include "part.h"\nint second(void) {\n  return PART;\n}\n',
    "b/part.h": "#define PART 2\n",
  });
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await drop(page, root);
  await told(page, /^Opened a\/part\.c, b\/part\.c as one program\./);
  await upToDate(page);
  assert.deepEqual(await tabs(page).allInnerTexts(), ["a/part.c", "a/part.h", "b/part.c", "b/part.h"]);
  assert.deepEqual(errors, []);
  await context.close();
});
