// Answers of a binary to all questions about the examples and the corpus, a file each, and how two such folders differ:
//
//   node scripts/answers.mjs write BINARY FOLDER [STEPS]
//   node scripts/answers.mjs compare FOLDER FOLDER
//
// Steps bound every run, so that the answers of one binary are always the same. Times are left out of the comparison.

import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const QUESTIONS = [
  "cfg",
  "paths --feasible --lengths 10,20",
  "prune --feasible --lengths 10",
  "explain",
  "cover",
  "branches",
  "draw --length 20 --count 3",
];
/** What differs from run to run: times. */
const VARIES = /"(wall_ms|time_us)": ?[0-9.]+/g;

const [mode, first, second, steps = "200000"] = process.argv.slice(2);

async function programs() {
  const folders = ["examples", process.env.CULDESAC_CORPUS].filter(Boolean);
  const found = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).filter((name) => /\.(c|blocks)$/.test(name)).map((name) => join(folder, name))),
  );
  return found.flat().sort();
}

const run = (command, args) =>
  new Promise((done) => {
    execFile(command, args, { maxBuffer: 1 << 28 }, (error, output, errors) =>
      done(`${output}\n${errors}\nexit ${error ? error.code : 0}\n`),
    );
  });

async function write(binary, folder) {
  await mkdir(folder, { recursive: true });
  const jobs = (await programs()).flatMap((program) => QUESTIONS.map((question) => [program, question]));
  const work = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const [program, question] = job;
      const [command, ...rest] = question.split(" ");
      const name = join(folder, `${basename(program)}.${command}`);
      const limit = command === "cfg" ? [] : ["--limit", steps, "--evidence", `${name}.evidence`];
      await writeFile(`${name}.answer`, await run(binary, [command, program, ...rest, ...limit, "--json"]));
    }
  };
  await Promise.all([work(), work()]);
}

async function compare(before, after) {
  const names = [...new Set([...(await readdir(before)), ...(await readdir(after))])].sort();
  let different = 0;
  for (const name of names) {
    const [one, other] = await Promise.all([before, after].map((folder) => readFile(join(folder, name), "utf8").catch(() => "missing")));
    if (one.replaceAll(VARIES, "") === other.replaceAll(VARIES, "")) continue;
    different++;
    const [left, right] = [one, other].map((text) => text.replaceAll(VARIES, ""));
    const at = [...left].findIndex((character, index) => character !== right[index]);
    console.log(`${name}:${at}\n  - ${left.slice(Math.max(0, at - 60), at + 100)}\n  + ${right.slice(Math.max(0, at - 60), at + 100)}`);
  }
  console.log(`${names.length} answers, ${different} different`);
  process.exitCode = different > 0 ? 1 : 0;
}

if (mode === "write" && second) await write(first, second);
else if (mode === "compare" && second) await compare(first, second);
else {
  console.error("usage: node scripts/answers.mjs write BINARY FOLDER [STEPS] | compare FOLDER FOLDER");
  process.exitCode = 2;
}
