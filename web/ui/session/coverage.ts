// Coverage of tests beside the program, with justifications of an earlier version: read from files, judged before it is kept, and gone with one press.

import { analyses } from "../analyses/registry";
import type { CoverageText } from "../protocol";
import { coverage, isJustifications } from "../state/coverage";
import { change, type Notice, notice } from "../state/state";
import { through } from "../text/packing";

/** A file of more than so many bytes, unpacked, is refused. */
const MOST = 64 << 20;

/** What people have beside coverage, by the ends of names, and what makes coverage of it. */
const RAW: readonly [RegExp, string][] = [
  [/\.gc(da|no)$/, "it holds the counters of gcc: gcov --branch-probabilities --json-format, or lcov --capture, makes coverage of it"],
  [/\.prof(raw|data)$/, "it holds the counters of clang: llvm-cov export makes coverage of it"],
];
const KINDS = "Coverage is LCOV (.info), or the JSON of gcov or llvm-cov (.json, .json.gz).";

/** Whether a file is coverage by its name, as far as that tells. */
export const isCoverageName = (name: string): boolean => /\.(info|lcov|json|json\.gz|gz)$/.test(name);

/** Whether a text begins as coverage does. */
function isCoverage(text: string): boolean {
  const first = /^(?:\s*(?:#.*)?\n)*\s*(\S.{0,2})/.exec(text.slice(0, 100_000))?.[1] ?? "";
  return first.startsWith("{") || first === "TN:" || first === "SF:";
}

/** The text of a file of coverage.
 * @throws An `Error` that says why it is none, and what to do. */
async function read(file: File): Promise<CoverageText> {
  const refuse = (why: string): never => {
    throw new Error(`${file.name} was not added: ${why}`);
  };
  const raw = RAW.find(([ending]) => ending.test(file.name));
  if (raw) return refuse(`${raw[1]}.`);
  if (file.size > MOST) return refuse(`it has more than ${MOST >> 20} MB. The command line reads larger ones: culdesac justify.`);
  let bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      bytes = await through(bytes, new DecompressionStream("gzip"), MOST);
    } catch {
      return refuse("it cannot be unpacked: a part of it is missing, or it is too large. Write it again.");
    }
  }
  if (bytes.includes(0)) return refuse(`it is not a text. ${KINDS}`);
  const text = new TextDecoder().decode(bytes);
  return isCoverage(text) ? { name: file.name, text } : refuse(`it is neither a program in C nor coverage. ${KINDS}`);
}

/** Adds coverage: it stays only if it is of the program. `kept` is called when that changes. `opened` is what was said of the program that came
 * with it, whose way back is the way back from both. */
export async function addCoverage(files: readonly File[], kept: () => void, opened: Notice | null = null): Promise<void> {
  const said = opened ? `${opened.text} ` : "";
  const before = coverage.peek();
  let added: CoverageText[];
  try {
    added = await Promise.all(files.map(read));
  } catch (error) {
    notice.value = { ...opened, tone: "error", text: `${said}${error instanceof Error ? error.message : String(error)}` };
    return;
  }
  const names = added.map(({ name }) => name);
  const earlier = added.filter(isJustifications).at(-1);
  const now = [...before, ...added].filter(
    (file) => (added.includes(file) || !names.includes(file.name)) && (!earlier || file === earlier || !isJustifications(file)),
  );
  if (now.every(isJustifications)) {
    notice.value = {
      ...opened,
      tone: "error",
      text: `${said}${names.join(", ")}: justifications are compared with coverage. Drop them together, or coverage first.`,
    };
    return;
  }
  coverage.value = now;
  change({ tab: "report" });
  const refusals = await Promise.all(analyses.map(({ measured }) => measured?.() ?? null));
  // In the meantime it may have been removed, or replaced.
  if (coverage.peek() !== now) return;
  const why = refusals.find((refusal) => refusal !== null);
  if (why !== undefined) {
    coverage.value = before;
    if (before.length > 0) for (const { measured } of analyses) void measured?.();
    notice.value = { ...opened, tone: "error", text: `${said}The coverage was not added: ${why}` };
    return;
  }
  kept();
  const back = (): void => {
    coverage.value = before;
    kept();
    if (before.length > 0) for (const { measured } of analyses) void measured?.();
  };
  notice.value = {
    tone: "info",
    text: `${said}Added ${names.join(", ")}: the Report says ${earlier ? "what became of the justifications" : "which branches your tests lack"}. Links do not hold coverage.`,
    action: opened?.action ?? { label: "Undo", run: back },
  };
}
