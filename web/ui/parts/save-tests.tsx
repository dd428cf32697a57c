// The tests for other tools, and their coverage: the very files that the command line writes.

import { signal } from "@preact/signals";
import { downloadAll } from "../browser/download";
import { languageOf } from "../editor/language";
import type { ExportDocument, ExportTest, TestsFormat } from "../protocol";
import { quick, request } from "../state/engines";
import { type About, current } from "../state/state";
import { grouped, plural } from "../text/numbers";
import { quoted } from "./quoted";

/** Tests of a function; `null` is the one that is chosen. */
export interface TestsOf {
  function: string | null;
  tests: readonly ExportTest[];
}

/** The tests of a run. */
export interface SavedTests {
  run: About;
  tests: readonly TestsOf[];
  /** The edges that no execution takes. */
  infeasible: readonly number[];
  /** What they are called. */
  title?: string;
  /** The program's file, where the suite is to have another name than the page's. */
  program?: string;
  /** Whether the run is of what is now shown. */
  usable?: boolean;
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

const TITLE = "Save tests";

/** What the last files that were saved hold and do not hold, or why there are none. */
const said = signal<{ of: About; title: string; text: string; notes: readonly string[]; failed: boolean } | null>(null);

/** As the command line says it. */
function summary(files: ExportDocument["files"], all: readonly ExportDocument[], to: string): string {
  const sum = (of: "tests_kept" | "tests_all" | "sides_taken" | "sides_all"): number => all.reduce((sum, one) => sum + one[of], 0);
  const [tests_kept, tests_all, sides_taken, sides_all] = [sum("tests_kept"), sum("tests_all"), sum("sides_taken"), sum("sides_all")];
  const names = files.map(({ name }) => name);
  const some = names.length > 6 ? `${names.slice(0, 3).join(", ")} and ${grouped(names.length - 3)} more` : names.join(", ");
  return `Saved ${some} as ${to}: ${grouped(tests_kept)} of ${plural(tests_all, "test")}, which take${tests_kept === 1 ? "s" : ""} ${grouped(sides_taken)} of ${plural(sides_all, "branch side")}`;
}

async function save({ run, title = TITLE, ...saved }: SavedTests, { format, file }: Form): Promise<void> {
  const infeasible = [...saved.infeasible];
  said.value = null;
  const asked = { ...request(), ...(saved.program !== undefined && { program: saved.program }) };
  // Compilers go by the ending.
  const program = asked.program.includes(".") ? asked.program : `${asked.program}.c`;
  const fail = (why: string): void => void (said.value = { of: run, title, text: `Nothing was saved: ${why}`, notes: [], failed: true });
  const [documents, files]: [ExportDocument[], ExportDocument["files"]] = [[], []];
  for (const { function: name, tests: own } of saved.tests) {
    const tests = own.map(({ input, after, assumes }) => ({ input, after, assumes }));
    const about = { ...asked, program, ...(name !== null && { function: name }) };
    const outcome = await quick.ask({ name: "export", request: about, settings: { tests, infeasible, format } });
    if (outcome.kind === "cancelled") return;
    if (outcome.kind === "failed") return fail(outcome.message);
    if (outcome.reply.kind === "refused") return fail(outcome.reply.diagnostics[0]?.message ?? "the program was refused");
    const { document } = outcome.reply;
    documents.push(document);
    // A suite of each function in a folder of its own, where there are several.
    files.push(...document.files.map((one) => (saved.tests.length > 1 ? { ...one, name: `${name}/${one.name}` } : one)));
  }
  const to = downloadAll(files, `${saved.tests.length === 1 ? (saved.tests[0]!.function ?? run.cfg.function) : "new"}-${file}`);
  const notes = documents.flatMap((document) => document.notes);
  said.value = { of: run, title, text: summary(files, documents, to), notes, failed: false };
}

export function SaveTests(saved: SavedTests) {
  const { run, title: heading = TITLE, usable = current(run) } = saved;
  if (saved.tests.every(({ tests }) => tests.length === 0)) return null;
  const here = said.value?.of === run && said.value.title === heading ? said.value : null;
  const isC = languageOf(run.text.sliceString(0, 10_000)) === "c";
  const groups = GROUPS.map(({ title, forms }) => ({ title, forms: forms.filter(({ format }) => isC || OF_ANY.includes(format)) })).filter(
    ({ forms }) => forms.length > 0,
  );
  return (
    <>
      <div class="save">
        <span>{heading}</span>
        {groups.map(({ title, forms }) => (
          <p key={title} role="group" aria-label={`${heading}, ${title}`}>
            <span class="muted">{title}</span>
            {forms.map((form) => (
              <button key={form.format} type="button" title={form.hint} disabled={!usable} onClick={() => void save(saved, form)}>
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
