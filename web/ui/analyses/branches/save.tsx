// The tests for other tools, and their coverage: the very files that the command line writes.

import { signal } from "@preact/signals";
import { downloadAll } from "../../download";
import type { TestsFormat } from "../../protocol";
import { quick, request } from "../../session";
import { languageOf } from "../../language";
import { current } from "../../state";
import { quoted } from "../../parts/quoted";
import type { BranchesRun } from "./state";

const FORMATS: readonly { format: TestsFormat; title: string; hint: string; file: string }[] = [
  { format: "c", title: "C harness", hint: "suite.c, which includes the program and runs the tests: a zip", file: "suite" },
  { format: "testcomp", title: "Test-Comp", hint: "metadata.xml and a file for each test: a zip", file: "testcomp" },
  { format: "json", title: "JSON", hint: "The inputs, as “Tests to begin with” and --tests read them", file: "tests" },
  { format: "lcov", title: "LCOV", hint: "What the tests cover of the text, for every reader and for LCOV 2.5: a zip", file: "coverage" },
];

/** What the last files that were saved do not hold, or why there are none. */
const said = signal<{ of: BranchesRun; notes: readonly string[]; failed: boolean } | null>(null);

async function save(run: BranchesRun, format: TestsFormat, file: string): Promise<void> {
  const tests = run.tests.map(({ input }) => input);
  const infeasible = run.list.flatMap(({ verdict, edges }) => (verdict === "infeasible" ? edges : []));
  said.value = null;
  const asked = request();
  // Compilers go by the ending.
  const program = asked.program.includes(".") ? asked.program : `${asked.program}.c`;
  const outcome = await quick.ask({ name: "export", request: { ...asked, program }, settings: { tests, infeasible, format } });
  if (outcome.kind === "cancelled") return;
  const fail = (why: string): void => void (said.value = { of: run, notes: [`Nothing was saved: ${why}`], failed: true });
  if (outcome.kind === "failed") return fail(outcome.message);
  if (outcome.reply.kind === "refused") return fail(outcome.reply.diagnostics[0]?.message ?? "the program was refused");
  const { files, notes } = outcome.reply.document;
  said.value = { of: run, notes, failed: false };
  downloadAll(files, `${run.cfg.function}-${file}`);
}

export function SaveTests({ run }: { run: BranchesRun }) {
  if (run.state === "running" || run.tests.length === 0) return null;
  const here = said.value?.of === run ? said.value : null;
  // A harness is a C program.
  const formats = FORMATS.filter(({ format }) => format === "json" || format === "lcov" || languageOf(run.text.sliceString(0, 10_000)) === "c");
  return (
    <>
      <p class="save" role="group" aria-label="Save tests">
        <span>Save tests</span>
        {formats.map(({ format, title, hint, file }) => (
          <button key={format} type="button" title={hint} disabled={!current(run)} onClick={() => void save(run, format, file)}>{title}</button>
        ))}
      </p>
      {here?.notes.map((note) => <p key={note} class={`mark ${here.failed ? "bad" : "open"}`}>{quoted(note[0]!.toUpperCase() + note.slice(1))}</p>)}
    </>
  );
}
