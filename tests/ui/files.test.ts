import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { filesOf, forTarget, fromTarget, joined, withFile } from "../../web/ui/editor/files";
import { languageOf } from "../../web/ui/editor/language";
import { usual } from "../../web/ui/session/all-settings";
import { fromHash, toHash } from "../../web/ui/session/permalink";
import { MODELS, targetOf } from "../../web/ui/state/settings";
import { targetSentence } from "../../web/ui/text/headline";

const MARK = "\u001c";

test("files become one program in the order of their names, with headers in place", () => {
  const files = [
    { name: "b.c", text: '#include "q.h"\r\nint g(void);' },
    { name: "q.h", text: '#ifndef Q\n#define Q\n#include "in/r.h"\n#endif\n' },
    { name: "a.c", text: '#include <stdio.h>\n  # include "other.h"\nint f(void);\n' },
    { name: "r.h", text: "int r;\n" },
  ];
  assert.deepEqual(joined(files), {
    source: `${MARK}=a.c\n#include <stdio.h>\n  # include "other.h"\nint f(void);\n${MARK}=b.c\n/* q.h */\n#ifndef Q\n#define Q\n/* r.h */\nint r;\n#endif\nint g(void);\n`,
    names: ["a.c", "b.c"],
    missing: ["other.h"],
  });
  // One file is a program as it is.
  assert.equal(joined([{ name: "x.c", text: "int x;" }]).source, "int x;\n");
  assert.deepEqual(joined([{ name: "x.txt", text: "" }]).names, []);
});

test("a header is the one beside the file that includes it, or the one whose path ends so", () => {
  const files = [
    { name: "a/x.c", text: '#include "x.h"\n#include "../inc/y.h"\n#include "sys/z.h"\n' },
    { name: "a/x.h", text: "int a;\n" },
    { name: "b/x.c", text: '#include "x.h"\n' },
    { name: "b/x.h", text: "int b;\n" },
    { name: "inc/y.h", text: '#include "x.h"\n' },
    { name: "deep/sys/z.h", text: "int z;\n" },
  ];
  const { source, missing } = joined(files);
  assert.equal(
    source,
    `${MARK}=a/x.c\n/* a/x.h */\nint a;\n/* inc/y.h */\n/* a/x.h */\nint a;\n/* deep/sys/z.h */\nint z;\n${MARK}=b/x.c\n/* b/x.h */\nint b;\n`,
  );
  assert.deepEqual(missing, []);
  assert.deepEqual(
    filesOf(Text.of(source.split("\n"))).map(({ name, line, isHeader }) => [name, line, isHeader]),
    [
      ["a/x.c", 1, false],
      ["a/x.h", 2, true],
      ["inc/y.h", 4, true],
      ["deep/sys/z.h", 7, true],
      ["b/x.c", 9, false],
      ["b/x.h", 10, true],
    ],
  );
  // One file has no tabs, whatever its comments say.
  assert.deepEqual(filesOf(Text.of(["/* a.h */", "int x;"])), []);
});

test("a header that includes itself comes to an end", () => {
  const { source, missing } = joined([
    { name: "a.c", text: '#include "a.h"\n' },
    { name: "a.h", text: '#include "a.h"\n' },
  ]);
  assert.ok(source.length < 1000);
  assert.deepEqual(missing, ["a.h"]);
});

test("another file has a name of its own", () => {
  const { text, at } = withFile("int x;");
  assert.equal(text, `\n${MARK}=file2.c\n`);
  assert.equal(at, text.length);
  assert.equal(withFile(`int x;\n${MARK}=file2.c\n`).text, `${MARK}=file3.c\n`);
  assert.equal(languageOf(`${MARK}=a.c\nint f(void);`), "c");
});

test("the target stands behind the last line", () => {
  assert.equal(forTarget("int x;", null), "int x;");
  assert.equal(forTarget("int x;", "ilp32"), `int x;\n${MARK}-Tilp32\n`);
  assert.deepEqual(fromTarget(`int x;\n${MARK}-Tlp64 unsigned-char\n`), { source: "int x;\n", target: "lp64 unsigned-char" });
  assert.deepEqual(fromTarget("int x;\n"), { source: "int x;\n", target: null });
});

test("links keep the target and the files; those without have the usual target", async () => {
  assert.equal(targetOf(MODELS[0], false), null);
  const source = `${MARK}=a.c\nint x;\n${MARK}=b.c\nint y;\n`;
  for (const target of [null, "int16", "lp64 unsigned-char"]) {
    const settings = { ...usual(), target };
    assert.deepEqual(await fromHash(await toHash({ source, settings })), { kind: "linked", linked: { source, settings } });
  }
  const odd = await fromHash(await toHash({ source, settings: { ...usual(), target: "lp65" } }));
  assert.equal(odd.kind === "linked" && odd.linked.settings.target, null);
  const length = async (target: string | null) => (await toHash({ source, settings: { ...usual(), target } })).length;
  assert.ok((await length(null)) < (await length("ilp32")));
});

test("a target that is not the usual one is told", () => {
  assert.deepEqual(targetSentence({} as never), []);
  const sentences = targetSentence({ options: { target: { abi: "ilp32", char: "unsigned" } } } as never);
  assert.deepEqual(sentences, [[{ text: "For ilp32: int, long and pointers of 32, 32, 32 bits, char unsigned." }]]);
});
