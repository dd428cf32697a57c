// Coverage of a person's own tests: dropped on the page, answered in the Report, and left with as the page to sign and as tests that compile.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { downloaded, keeps, launch, open, setProgram, tab, until, upToDate, violations } from "./harness.mjs";

/** The program of web/docs/justify.md. */
const LIMITS = `#include <assert.h>
static int limit(int x) {
    if (x > 9)
        return 9;
    return x;
}

int grade(int points, int bonus) {
    int grade = 0;
    if (points > 50 && bonus > 2)
        grade = 1;
    if (grade == 2)
        grade = 5;
    assert(grade < 2);
    return grade + limit(4);
}
`;
/** What gcc counts for `grade(10, 0)` and `grade(60, 0)`. */
const INFO = `TN:
SF:/home/someone/limits.c
FN:2,limit
FN:8,grade
BRDA:3,0,0,0
BRDA:3,0,1,2
BRDA:10,0,0,1
BRDA:10,0,1,1
BRDA:10,0,2,0
BRDA:10,0,3,1
BRDA:12,0,0,0
BRDA:12,0,1,2
BRDA:14,0,0,0
BRDA:14,0,1,2
BRF:10
BRH:6
DA:2,2
DA:3,2
DA:4,0
DA:5,2
end_of_record
`;
/** Of gcov: `f` is called once with 4. */
const PLAIN = "int f(int x) {\n  if (x > 3)\n    return 1;\n  return 0;\n}\n";
const GCOV = JSON.stringify({
  format_version: "1",
  gcc_version: "12",
  current_working_directory: "/t",
  data_file: "t.gcda",
  files: [
    {
      file: "plain.c",
      functions: [
        {
          name: "f",
          demangled_name: "f",
          start_line: 1,
          start_column: 5,
          end_line: 5,
          end_column: 1,
          blocks: 5,
          blocks_executed: 4,
          execution_count: 1,
        },
      ],
      lines: [
        { line_number: 1, function_name: "f", count: 1, unexecuted_block: false, branches: [] },
        {
          line_number: 2,
          function_name: "f",
          count: 1,
          unexecuted_block: false,
          branches: [
            { count: 1, throw: false, fallthrough: true },
            { count: 0, throw: false, fallthrough: false },
          ],
        },
        { line_number: 3, function_name: "f", count: 1, unexecuted_block: false, branches: [] },
        { line_number: 4, function_name: "f", count: 0, unexecuted_block: true, branches: [] },
      ],
    },
  ],
});

let site;
let folder;
before(async () => {
  site = await launch();
  folder = await mkdtemp(join(tmpdir(), "culdesac-justify-"));
});
after(async () => {
  await site?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** Drops files on a part of the page; of each its name and its bytes. */
const drop = (page, files, on = ".report-pane") =>
  page.evaluate(
    ({ files, on }) => {
      const data = new DataTransfer();
      for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
      for (const type of ["dragover", "drop"])
        document.querySelector(on).dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    { files: files.map(([name, content]) => [name, [...Buffer.from(content)]]), on },
  );
const section = (page) => page.locator(".report-pane .kind.coverage");
const answered = (page) => section(page).locator('.run-state[data-state="done"]').waitFor({ state: "attached" });
const rows = (page) =>
  section(page)
    .locator("ol > li > button")
    .evaluateAll((all) => all.map((row) => [...row.children].map((part) => part.textContent.replace(/\s+/g, " ").trim()).join(" | ")));
const alert = async (page) => (await page.locator('.notices [role="alert"] .notice').allInnerTexts()).join(" ");
async function save(page, name, group = "Save the justified coverage") {
  const button = section(page).getByRole("group", { name: group }).getByRole("button", { name, exact: true });
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), bytes: await downloaded(download) };
}

/** Compiles a suite and runs it: both throw where that fails. */
async function runSuite(files) {
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  execFileSync("gcc", ["-o", "suite", "suite.c"], { cwd: folder });
  execFileSync("./suite", { cwd: folder, stdio: "ignore" });
}

test("the engineer drops a program with its coverage, and leaves with the signed page and tests that compile", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await drop(
    page,
    [
      ["limits.c", LIMITS],
      ["tests.info", INFO],
    ],
    ".cm-content",
  );
  await answered(page);
  assert.match(
    await section(page).locator(".sentence").innerText(),
    /^The coverage has 5 of 8 branches: of the others 1 has a new test, 2 can never run/,
  );
  const list = await rows(page);
  assert.equal(list.length, 3);
  assert.match(list[0], /^3 \| ✕ can never run \| x > 9 excluded by limit\.x = 4 \(line 15\) \|/);
  assert.match(list[1], /^10 \| ✓ new test \| bonus > 2 .*bonus = 3.* \| test 1$/);
  assert.match(
    list[2],
    /^12 \| ✕ can never run \| grade == 2 excluded by the values here: grade is 0 by grade = 0 \(line 9\) or 1 by grade = 1 \(line 11\)/,
  );
  assert.deepEqual(await violations(page), []);
  // A reason leads to its line.
  await section(page).locator("button.row").first().click();
  await section(page).locator(".about").getByRole("button", { name: "line 15" }).click();
  await page.waitForFunction(() => document.querySelector(".cm-activeLine")?.textContent.includes("limit(4)"));

  // The page to sign has the reason; LCOV has the mark; the justifications their evidence.
  const signed = await save(page, "Page to sign");
  assert.equal(signed.name, "justified.html");
  const text = String(signed.bytes);
  assert.ok(text.includes("Reviewed by") && text.includes("limit.x = 4") && text.includes("grade:enumerated-"), text.slice(0, 500));
  assert.match(String((await save(page, "LCOV")).bytes), /BRDA:3,U0,0,0\nBRDA:3,0,1,2\n/);
  assert.match(String((await save(page, "Markdown")).bytes), /\| reviewed by \|/);
  const kept = JSON.parse((await save(page, "Justifications")).bytes);
  assert.equal(kept.kind, "justifications");
  assert.deepEqual(
    kept.programs.map(({ program, branches }) => [program, branches.length]),
    [["limits.c", 2]],
  );

  const suite = unzipSync((await save(page, "Plain C", "Save new tests, C")).bytes);
  assert.match(String(Buffer.from(suite["suite.c"])), /\bgrade\(/);
  await runSuite(suite);

  // It survives a reload and is not in the link; removing it is one press, and one brings it back.
  await keeps(page, LIMITS);
  await page.reload();
  await upToDate(page);
  await answered(page);
  assert.equal((await rows(page)).length, 3);
  await section(page).getByRole("button", { name: "Remove coverage" }).click();
  await until(async () => (await section(page).count()) === 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await answered(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  const { hash } = new URL(page.url());
  const second = await open(site, { hash });
  await upToDate(second.page);
  await tab(second.page, "Report");
  await second.page.locator(".report-pane .sentence").first().waitFor();
  assert.equal(await section(second.page).count(), 0);
  assert.deepEqual([...errors, ...second.errors], []);
  await second.context.close();
  await context.close();
});

test("compressed JSON of gcov is unpacked, for a text that was pasted", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, PLAIN);
  await upToDate(page);
  await tab(page, "Report");
  await page
    .locator('.add-coverage input[type="file"]')
    .setInputFiles({ name: "plain.gcov.json.gz", mimeType: "application/gzip", buffer: gzipSync(GCOV) });
  await answered(page);
  assert.deepEqual(
    (await rows(page)).map((row) => row.replace(/ x = .*/, "")),
    ["2 | ✓ new test | !(x > 3)"],
  );
  // Another text than the coverage's is told as such when it is asked about, and the coverage stays.
  await setProgram(page, `// One more line.\n${PLAIN}`);
  await upToDate(page);
  await section(page).getByRole("button", { name: "Run again" }).click();
  await section(page).locator('.run-state[data-state="failed"]').waitFor();
  assert.match(await section(page).innerText(), /another text than plain\.c: .*measure again with this text/s);
  assert.deepEqual(errors, []);
  await context.close();
});

test("what is no coverage of the program is refused with a remedy, and nothing changes", async () => {
  const { page, context, errors } = await open(site);
  await setProgram(page, LIMITS);
  await upToDate(page);
  await tab(page, "Report");
  await page.locator(".report-pane .sentence").first().waitFor();
  for (const [name, content, why] of [
    ["tests.info", INFO.replace("BRDA:3,0,0,0", "BRDA:3,0"), /tests\.info: line 5/],
    [
      "tests.info",
      INFO.replace("FN:8,grade", "FN:9,grade"),
      /another text than limits\.c: `grade` starts on line 9.*Measure again with this text/,
    ],
    ["evidence.json", '{"claims": []}', /evidence\.json: neither gcov's JSON/],
    ["other.info", "TN:\nSF:a.c\nFN:1,g\nend_of_record\nSF:b.c\nFN:1,h\nend_of_record\n", /not of .*, but of a\.c, b\.c/],
    ["tests.gcda", "adcg\u0000\u0000", /counters of gcc: gcov .*makes coverage of it/],
    ["a.out", "\u007fELF\u0000\u0001", /a\.out was not added: it is not a text\. Coverage is LCOV/],
    ["notes.txt", "To do: measure.\n", /notes\.txt was not added: it is neither a program in C nor coverage/],
    ["tests.json.gz", gzipSync(GCOV).subarray(0, 90), /cannot be unpacked/],
  ]) {
    await drop(page, [[name, content]]);
    await until(async () => why.test(await alert(page)));
    await until(async () => (await section(page).count()) === 0);
    await page.locator(".notices").getByRole("button", { name: "Dismiss" }).click();
  }
  assert.equal(await page.evaluate(() => localStorage.getItem("culdesac.source")), LIMITS);
  // What was there stays beside what is refused.
  await drop(page, [["tests.info", INFO]]);
  await answered(page);
  await drop(page, [["more.info", INFO.replace("BRDA:3,0,0,0\n", "")]]);
  await until(async () => /more\.info: .*other branches/.test(await alert(page)));
  await answered(page);
  assert.equal((await rows(page)).length, 3);
  // Another program comes without it.
  await drop(page, [["plain.c", PLAIN]], ".cm-content");
  await upToDate(page);
  await until(async () => (await section(page).count()) === 0);
  await page.getByRole("button", { name: "Back to my own program" }).click();
  await answered(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test("justifications of an earlier version are proved again: what holds, what moved, what no longer holds", async () => {
  const { page, context, errors } = await open(site);
  await upToDate(page);
  await drop(
    page,
    [
      ["limits.c", LIMITS],
      ["tests.info", INFO],
    ],
    ".cm-content",
  );
  await answered(page);
  const kept = (await save(page, "Justifications")).bytes;
  await drop(page, [["limits.json", kept]]);
  const against = section(page).locator(".against");
  await against.getByText(/2 justifications of the earlier version hold, 0 are new/).waitFor();

  // The next version: `limit` is called with a larger number, and the rest stands a line lower.
  const next = `// The next version.\n${LIMITS.replace("limit(4)", "limit(40)")}`;
  const lower = INFO.replace(/^(FN|BRDA|DA):(\d+)/gm, (_, kind, line) => `${kind}:${Number(line) + 1}`);
  await drop(page, [["limits.c", next]], ".cm-content");
  await upToDate(page);
  await drop(page, [["limits.json", kept]]);
  await until(async () => /compared with coverage/.test(await alert(page)));
  await drop(page, [
    ["tests.info", lower],
    ["limits.json", kept],
  ]);
  await against.getByText(/1 justification of the earlier version holds, 0 are new/).waitFor();
  // The counts are of the tests before: they take a side that no execution takes now.
  const stale = await against.getByRole("list", { name: "No longer hold" }).locator("li").allInnerTexts();
  assert.equal(stale.length, 2);
  assert.match(stale[0], /line 4 x > 9 in limit: it can run now: test \d takes it/);
  assert.match(stale[1], /line 4 !\(x > 9\) in limit: tests take it, and no execution does/);
  assert.match(await against.getByRole("list", { name: "Moved" }).innerText(), /grade == 2 moved from line 12 to line 13/);
  assert.deepEqual(await violations(page), []);
  const [download] = await Promise.all([page.waitForEvent("download"), against.getByRole("button", { name: "CSV" }).click()]);
  assert.match(String(await downloaded(download)), /no longer holds,limit,4,/);
  assert.deepEqual(errors, []);
  await context.close();
});
