// The section on the coverage of a person's own tests: what they lack, and the files to leave with.

import { useRef } from "preact/hooks";
import { download } from "../../browser/download";
import { embedded } from "../../browser/embedded";
import { After } from "../../parts/after";
import { Assumes } from "../../parts/assumes";
import { InputLine } from "../../parts/input-line";
import { quoted } from "../../parts/quoted";
import { Row, Rows, Section } from "../../parts/rows";
import { RunState } from "../../parts/run-state";
import { SaveTests, type TestsOf } from "../../parts/save-tests";
import type { JustifiedBranch, JustifyAnswer, JustifyVerdict } from "../../protocol";
import { coverage, coverageWanted } from "../../state/coverage";
import { longer } from "../../state/run";
import { inputText } from "../../text/inputs";
import { grouped } from "../../text/numbers";
import { Against } from "./against";
import { isCurrent, type JustifyRun, justifyAll, justifyRun } from "./coverage";
import { Line, Reason } from "./reason";
import { choose, isChosen } from "./state";

/** Signs, words and classes of the verdicts. */
const LOOKS: Record<JustifyVerdict, { sign: string; word: string; className: string }> = {
  tested: { sign: "✓", word: "new test", className: "covered" },
  justified: { sign: "✕", word: "can never run", className: "infeasible" },
  open: { sign: "?", word: "open", className: "open" },
};

/** What the files are called on their buttons, by the ends of their names. */
const FILES: Record<string, { title: string; hint: string }> = {
  html: {
    title: "Page to sign",
    hint: "One page of HTML that needs nothing else: program, reasons, claims, and fields for two signatures",
  },
  info: { title: "LCOV", hint: "The coverage as LCOV 2.5, with U at each branch that can never run: it leaves the denominator" },
  md: { title: "Markdown", hint: "The same as the page for an issue or a wiki, without the program" },
  json: { title: "Justifications", hint: "The justified branches with their evidence, for culdesac check and for justify --against" },
};

function About({ branch, reason, run, of }: { branch: JustifiedBranch; reason: string; run: JustifyRun; of: JustifyAnswer }) {
  const test = branch.test === null ? undefined : of.tests[branch.test];
  return (
    <>
      {test && (
        <p>
          New test {grouped(branch.test! + 1)} calls <code>{test.function}</code>:
        </p>
      )}
      {test && <InputLine input={test.input} of={run.cfg} />}
      {test && <After calls={test.after} />}
      {reason !== "" && <Reason text={reason} run={run} />}
      {branch.evidence.length > 0 && (
        <p class="muted">
          {branch.evidence.length === 1 ? "Claim" : "Claims"} {branch.evidence.join(", ")}, in the file of justifications.
        </p>
      )}
      <Assumes all={of.assumptions} ids={branch.assumes} />
      {!branch.measured && <p class="muted">The coverage has no record of this very branch: others on the line are counted.</p>}
      <p>
        In <code>{branch.function}</code>, <Line line={branch.line} column={branch.column} run={run} />, column {branch.column}
        {branch.expansion !== null && (
          <>
            ; with macros expanded <code>{branch.expansion}</code>
          </>
        )}
      </p>
    </>
  );
}

function Gaps({ run, of }: { run: JustifyRun; of: JustifyAnswer }) {
  if (of.branches.length === 0) return null;
  return (
    <Rows<JustifiedBranch>
      label="Branches that the coverage has not"
      all={of.branches}
      row={(branch, at) => {
        const { sign, word, className } = LOOKS[branch.verdict];
        const reason = of.reasons[at] ?? "";
        const test = branch.test === null ? undefined : of.tests[branch.test];
        return (
          <Row
            key={at}
            at={at}
            className={className}
            where={grouped(branch.line)}
            sign={sign}
            signName={word}
            text={
              <>
                <code>{branch.text}</code> <span class="what muted">{test ? inputText(test.input, run.cfg) : quoted(reason)}</span>
              </>
            }
            size={branch.test !== null ? `test ${branch.test + 1}` : of.new?.includes(at) ? `${word}, new` : word}
            chosen={isChosen("gap", at)}
            usable={isCurrent(run)}
            choose={() => choose("gap", at)}
          >
            {() => <About branch={branch} reason={reason} run={run} of={of} />}
          </Row>
        );
      }}
    />
  );
}

/** The tests by the functions that they call. */
function suitesOf({ tests }: JustifyAnswer): TestsOf[] {
  const names = [...new Set(tests.map((test) => test.function))];
  return names.map((name) => ({ function: name, tests: tests.filter((test) => test.function === name) }));
}

function Answer({ run, of }: { run: JustifyRun; of: JustifyAnswer }) {
  return (
    <>
      <p class="sentence">{of.sentence}</p>
      <Against run={run} of={of} />
      <Gaps run={run} of={of} />
      {of.notes.map((note) => (
        <p key={note} class="mark open">
          {quoted(`${note[0]!.toUpperCase()}${note.slice(1)}`)}
        </p>
      ))}
      <div class="save" role="group" aria-label="Save the justified coverage">
        <span>Save</span>
        {["html", "info", "md", "json"].map((ending) => {
          const file = of.files.find(({ name }) => name.endsWith(`.${ending}`));
          const { title, hint } = FILES[ending]!;
          return (
            file && (
              <button key={ending} type="button" title={hint} onClick={() => download(new Blob([file.text]), file.name)}>
                {title}
              </button>
            )
          );
        })}
      </div>
      <SaveTests run={run} program={of.program} tests={suitesOf(of)} infeasible={[]} title="Save new tests" usable={isCurrent(run)} />
    </>
  );
}

/** What the tests lack; nothing where no coverage was added. */
export function Coverage() {
  const files = coverage.value;
  const run = justifyRun.value;
  if (files.length === 0) return null;
  const more = run && longer(run);
  const mine = run?.of === files ? run : null;
  return (
    <Section
      kind="coverage"
      title="Coverage of your tests"
      says={files.map(({ name }) => name).join(", ")}
      aside={
        <button type="button" class="small remove" onClick={() => (coverageWanted.value = [])}>
          Remove coverage
        </button>
      }
    >
      {mine && <RunState run={mine} current={isCurrent(mine)} again={() => void justifyAll()} />}
      {mine?.refused.map(({ help }) => help && <p key={help}>Help: {help}.</p>)}
      {mine?.document && <Answer run={mine} of={mine.document} />}
      {more !== null && mine && (
        <p class="mark open">
          <button type="button" onClick={() => void justifyAll(more)}>
            Go on, up to {grouped(more)} steps for each function
          </button>
        </p>
      )}
    </Section>
  );
}

/** The way to that section. */
export function AddCoverage() {
  const input = useRef<HTMLInputElement>(null);
  if (coverage.value.length > 0 || embedded) return null;
  return (
    <div class="save add-coverage">
      <span>Coverage of your tests</span>
      <input
        ref={input}
        type="file"
        accept=".info,.json,.gz"
        multiple
        hidden
        onChange={(e) => {
          coverageWanted.value = [...(e.currentTarget.files ?? [])];
          e.currentTarget.value = "";
        }}
      />
      <button
        type="button"
        title="LCOV, or the JSON of gcov or llvm-cov: for each branch that your tests lack a test, or a proof that none can take it. With it justifications of an earlier version, which are proved again"
        onClick={() => input.current?.click()}
      >
        Add coverage…
      </button>
      <span class="muted">or drop the file on the page</span>
    </div>
  );
}
