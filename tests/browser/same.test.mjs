// The engine in the browser gives the very documents of the native program: verdicts, inputs, evidence, and how many
// queries and steps they took. `solve` is not part of the page's engine.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readExamples } from "../../scripts/examples.mjs";
import { launch, open } from "./harness.mjs";

const root = new URL("../..", import.meta.url).pathname;
const native = process.env.CULDESAC ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/culdesac");
const skip = existsSync(native) ? false : "the native program is not built";
const examples = await readExamples(join(root, "examples"));

/** Branches whose conditions need whole numbers, products, remainders and arrays: the solver has something to do. */
const HARD = {
  name: "hard",
  source: `int hard(int x, int y, int z, int *a) {
  int s = 0;
  if (3 * x + 6 * y == 7) s = s + 1;
  if (x * x > 50 && x < 9) s = s + 2;
  if (y % 7 == 3 && y > 100) s = s + 4;
  if (a[x] == a[y] + 1) { if (x == y) s = s + 8; }
  while (z > 0) { z = z - 2; if (z == 5) s = s + 16; }
  return s;
}
`,
};

let site;
let page;
let folder;
before(async () => {
  site = await launch();
  ({ page } = await open(site));
  folder = await mkdtemp(join(tmpdir(), "culdesac-"));
  await page.evaluate(async () => {
    window.engine = await import("./culdesac-web.js");
    await window.engine.default({ module_or_path: new URL("./culdesac-web_bg.wasm", location.href) });
  });
});
after(async () => {
  await site?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** A document without what is not the engine's: the program's name, and the clock. Times are in microseconds, and their
 * names say so. */
function comparable(document) {
  const {
    program,
    statistics: { wall_ms, ...statistics },
    ...rest
  } = JSON.parse(JSON.stringify(document, (key, value) => (key.endsWith("_us") ? undefined : value)));
  return { statistics, ...rest };
}

/** Asks the page's engine; the document, and the evidence if it makes any. */
async function inBrowser(name, request, settings) {
  const { reply, pieces } = await page.evaluate(
    async ({ name, question }) => {
      const pieces = [];
      await window.engine.load(name);
      const reply = window.engine.ask(
        name,
        question,
        () => true,
        (piece) => pieces.push(piece),
      );
      return { reply, pieces };
    },
    { name, question: { request, settings } },
  );
  assert.equal(reply.kind, "document", JSON.stringify(reply).slice(0, 500));
  const file = pieces.pop();
  return { document: comparable(reply.document), evidence: file && name !== "cfg" ? { ...file, claims: pieces } : undefined };
}

/** The commands that let all engines settle what is open, unless told otherwise: the page's questions are for one method. */
const SETTLED = ["cover", "branches", "reach"];

/** The same of the native program; with exit status 1 a limit left something open. */
async function natively(command, file, { limit, seed }, ...options) {
  const evidence = join(folder, "evidence.json");
  const args = [
    command,
    file,
    "--json",
    "--seed",
    String(seed),
    ...(limit === null ? [] : ["--limit", String(limit)]),
    ...(command === "cfg" ? [] : ["--evidence", evidence]),
    ...(SETTLED.includes(command) ? ["--only"] : []),
    ...options,
  ];
  let text;
  try {
    text = execFileSync(native, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  } catch (error) {
    if (error.status !== 1) throw error;
    text = error.stdout;
  }
  const document = comparable(JSON.parse(text));
  // Only the command line writes a file of evidence, and names its claims.
  if (command === "report") for (const branch of document.list) delete branch.claims;
  return { document, evidence: command === "cfg" ? undefined : JSON.parse(await readFile(evidence, "utf8")) };
}

async function fileOf(program) {
  if (program !== HARD) return `examples/${program.name}.${program.language}`;
  const file = join(folder, `${program.name}.c`);
  await writeFile(file, program.source);
  return file;
}

const PRUNED = {
  abstraction: "learn",
  restarts: true,
  lookahead: 6,
  max_red_length: null,
  invariants: true,
  exact_up_to: null,
  precondition: null,
};

const COVERED = { unwind: 1, algorithm: "prefer", precondition: null };

const EXPLAINED = { max_instructions: 24, order: "first", check: "integer", extend: "detours", path: null, compare: 3, rounds: null };

const DRAWN = { length: 40, count: 30, feasible_only: false, pruned: null };

const QUESTIONS = [
  { name: "cfg", settings: {}, options: [] },
  { name: "paths", settings: { lengths: [10, 20, 30], feasible: true }, options: ["--lengths", "10,20,30", "--feasible"] },
  { name: "draw", settings: DRAWN, options: ["--length", "40", "--count", "30"] },
  {
    name: "draw",
    settings: { ...DRAWN, length: 25, count: 5, feasible_only: true },
    options: ["--length", "25", "--count", "5", "--feasible-only"],
  },
  {
    name: "draw",
    settings: { ...DRAWN, length: 25, count: 5, pruned: PRUNED },
    options: ["--length", "25", "--count", "5", "--pruned", "--lookahead", "6"],
  },
  {
    name: "prune",
    settings: { graph: PRUNED, lengths: [10, 20], feasible: true },
    options: ["--lengths", "10,20", "--feasible", "--lookahead", "6"],
  },
  { name: "explain", settings: EXPLAINED, options: ["--max-instructions", "24", "--compare", "3"] },
  {
    name: "explain",
    settings: { ...EXPLAINED, order: "all", check: "rational", extend: "any_way", compare: 0 },
    options: ["--max-instructions", "24", "--order", "all", "--check", "rational", "--extend", "any-way"],
  },
  {
    name: "explain",
    settings: { ...EXPLAINED, extend: "any_way", compare: 0, rounds: { length: 20, pruned: false } },
    options: ["--max-instructions", "24", "--rounds-length", "20"],
  },
  { name: "cover", settings: COVERED, options: ["--unwind", "1"] },
  { name: "cover", settings: { ...COVERED, unwind: null }, options: [] },
  { name: "cover", settings: { ...COVERED, unwind: 2, algorithm: "sc" }, options: ["--unwind", "2", "--algorithm", "sc"] },
];

/** Of the line that an example names; of the largest one only as far as a limit allows. */
const reaching = ({ name, reach }, limit) =>
  reach && (limit !== null || name !== "hello_world_at_microsoft")
    ? [{ name: "reach", settings: { target: reach, k: 25 }, options: ["--target", reach, "--k", "25"] }]
    : [];

/** To the end only where that is soon. */
const branching = ({ name }, limit) =>
  limit !== null || name === "check_valves"
    ? [{ name: "branches", settings: { tests: [], order: "discovery" }, options: ["--order", "discovery"] }]
    : [];

/** Cover and Branches together: to the end only where both are soon. */
const reporting = ({ name }, limit) => (limit !== null || name === "check_valves" ? [{ name: "report", settings: {}, options: [] }] : []);

for (const program of [...examples, HARD]) {
  for (const limit of [null, 700]) {
    test(`${program.name}${limit === null ? "" : ` within ${limit} steps`}: documents, steps and evidence are those of the native program`, {
      skip,
    }, async () => {
      const file = await fileOf(program);
      const request = { program: file, source: program.source, function: null, limit, seed: 7 };
      const questions = [...QUESTIONS, ...reaching(program, limit), ...branching(program, limit), ...reporting(program, limit)];
      for (const { name, settings, options } of questions) {
        const [here, there] = [await inBrowser(name, request, settings), await natively(name, file, request, ...options)];
        assert.deepEqual(here.document, there.document, name);
        assert.deepEqual(here.evidence, there.evidence, name);
        if (name !== "cfg") {
          const { steps, solver } = here.document.statistics;
          assert.ok(steps > 0, name);
          // Explain asks for refutations only, where a model that is known answers the rest.
          if (program === HARD && limit === null && name !== "explain")
            assert.ok(solver.queries > 20 && solver.sat > 0 && solver.unsat > 0, JSON.stringify(solver));
        }
        if (!here.evidence?.claims.length) continue;
        const checked = await page.evaluate(async (evidence) => {
          await window.engine.load("check");
          return window.engine.ask("check", { request: null, settings: { evidence, unreadable: null } }, () => true);
        }, here.evidence);
        assert.deepEqual([checked.document.checked, checked.document.rejected], [here.evidence.claims.length, []], name);
      }
    });
  }
}

test("a witness of 2^53 and beyond crosses as a string", async () => {
  const source = "int f(long x) {\n  if (x < 9007199254740992) return 1;\n  return 2;\n}\n";
  const { document } = await inBrowser(
    "draw",
    { program: "f", source, function: null, limit: null, seed: 1 },
    { ...DRAWN, length: 5, count: 20 },
  );
  assert.ok(
    document.paths.some((path) => path.input?.x === "9007199254740992"),
    JSON.stringify(document.paths.map((path) => path.input)),
  );
});
