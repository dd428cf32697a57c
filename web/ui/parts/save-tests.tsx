// The tests for other tools, and their coverage: the very files that the command line writes.

import { signal } from "@preact/signals";
import { downloadAll } from "../browser/download";
import { languageOf } from "../editor/language";
import type { ExportDocument, ExportTest, TestsFormat } from "../protocol";
import { quick, request } from "../state/engines";
import { type About, current } from "../state/state";
import { grouped, plural } from "../text/numbers";
import { quoted } from "./quoted";

/** The tests of a run. */
export interface SavedTests {
  run: About;
  tests: readonly ExportTest[];
  /** The edges that no execution takes. */
  infeasible: readonly number[];
}

interface Form {
  format: TestsFormat;
  title: string;
  hint: string;
  /** The archive's name, behind the function's. */
  file: string;
}

/** A suite in C needs a program in C; tools read what is of any program. */
const GROUPS: readonly { title: string; forms: readonly Form[] }[] = [
  {
    title: "C",
    forms: [
      {
        format: "c",
        title: "Plain C",
        hint: "suite.c, which includes the program and runs each test in a process of its own",
        file: "suite",
      },
      {
        format: "freestanding",
        title: "Freestanding",
        hint: "A suite that runs its tests one after another and needs no operating system",
        file: "freestanding",
      },
      { format: "unity", title: "Unity", hint: "Tests for the framework Unity", file: "unity" },
      { format: "cmocka", title: "CMocka", hint: "Tests for the framework CMocka", file: "cmocka" },
    ],
  },
  {
    title: "for tools",
    forms: [
      {
        format: "testcomp",
        title: "Test-Comp",
        hint: "metadata.xml and a file for each test, as in the competition on software testing",
        file: "testcomp",
      },
      { format: "json", title: "JSON", hint: "The inputs, as “Tests to begin with” and --tests read them", file: "tests" },
      { format: "csv", title: "CSV", hint: "A table: for each test its input, how it ends, and what it covers", file: "table" },
      { format: "lcov", title: "LCOV", hint: "What the tests cover of the text, for every reader and for LCOV 2.5", file: "coverage" },
    ],
  },
];
const OF_ANY: readonly TestsFormat[] = ["json", "csv", "lcov"];

/** What the last files that were saved hold and do not hold, or why there are none. */
const said = signal<{ of: About; text: string; notes: readonly string[]; failed: boolean } | null>(null);

/** As the command line says it. */
function summary(files: ExportDocument["files"], { tests_kept, tests_all, sides_taken, sides_all }: ExportDocument, to: string): string {
  const names = files.map(({ name }) => name);
  const some = names.length > 6 ? `${names.slice(0, 3).join(", ")} and ${grouped(names.length - 3)} more` : names.join(", ");
  return `Saved ${some} as ${to}: ${grouped(tests_kept)} of ${plural(tests_all, "test")}, which take${tests_kept === 1 ? "s" : ""} ${grouped(sides_taken)} of ${plural(sides_all, "branch side")}`;
}

async function save({ run, ...saved }: SavedTests, { format, file }: Form): Promise<void> {
  const tests = saved.tests.map(({ input, after, assumes }) => ({ input, after, assumes }));
  const infeasible = [...saved.infeasible];
  said.value = null;
  const asked = request();
  // Compilers go by the ending.
  const program = asked.program.includes(".") ? asked.program : `${asked.program}.c`;
  const outcome = await quick.ask({ name: "export", request: { ...asked, program }, settings: { tests, infeasible, format } });
  if (outcome.kind === "cancelled") return;
  const fail = (why: string): void => void (said.value = { of: run, text: `Nothing was saved: ${why}`, notes: [], failed: true });
  if (outcome.kind === "failed") return fail(outcome.message);
  if (outcome.reply.kind === "refused") return fail(outcome.reply.diagnostics[0]?.message ?? "the program was refused");
  const { document } = outcome.reply;
  const to = downloadAll(document.files, `${run.cfg.function}-${file}`);
  said.value = { of: run, text: summary(document.files, document, to), notes: document.notes, failed: false };
}

export function SaveTests(saved: SavedTests) {
  const { run } = saved;
  if (saved.tests.length === 0) return null;
  const here = said.value?.of === run ? said.value : null;
  const isC = languageOf(run.text.sliceString(0, 10_000)) === "c";
  const groups = GROUPS.map(({ title, forms }) => ({ title, forms: forms.filter(({ format }) => isC || OF_ANY.includes(format)) })).filter(
    ({ forms }) => forms.length > 0,
  );
  return (
    <>
      <div class="save">
        <span>Save tests</span>
        {groups.map(({ title, forms }) => (
          <p key={title} role="group" aria-label={`Save tests, ${title}`}>
            <span class="muted">{title}</span>
            {forms.map((form) => (
              <button key={form.format} type="button" title={form.hint} disabled={!current(run)} onClick={() => void save(saved, form)}>
                {form.title}
              </button>
            ))}
          </p>
        ))}
      </div>
      <div class="saved" role="status">
        {here && <p class={here.failed ? "mark bad" : ""}>{quoted(here.text)}</p>}
        {here?.notes.map((note) => (
          <p key={note} class="mark open">
            {quoted(note[0]!.toUpperCase() + note.slice(1))}
          </p>
        ))}
      </div>
    </>
  );
}
