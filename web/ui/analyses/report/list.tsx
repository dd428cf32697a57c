// A report's findings, the verdict on each branch, and the tests.

import { After, Needs } from "../../parts/after";
import { Assumes, resting } from "../../parts/assumes";
import { Because } from "../../parts/because";
import { InputLine } from "../../parts/input-line";
import { quoted } from "../../parts/quoted";
import { Row as Chosen, type RowProps, Rows, Section } from "../../parts/rows";
import { SaveTable } from "../../parts/save-table";
import type { CoverExclusion, ReportBranch, ReportDocument, ReportFinding, ReportTest } from "../../protocol";
import { current, placeWanted } from "../../state/state";
import { inputText, lineRuns } from "../../text/inputs";
import { grouped, plural } from "../../text/numbers";
import type { Table } from "../../text/tables";
import {
  type ChosenKind,
  choose,
  findingGroups,
  HEADINGS,
  isChosen,
  type Numbered,
  offsetOf,
  type ReportRun,
  reasonsOf,
  SIGNS,
} from "./state";

/** A run that has its document. */
type Reported = ReportRun & { document: ReportDocument };

/** The name of an engine's tab. */
const engineName = (engine: string): string => engine[0]!.toUpperCase() + engine.slice(1);

/** A row that can be looked at. */
const Row = ({ kind, at, run, ...row }: Omit<RowProps, "chosen" | "usable" | "choose"> & { kind: ChosenKind; run: Reported }) => (
  <Chosen {...row} at={at} chosen={isChosen(kind, at)} usable={current(run)} choose={() => choose(kind, at)} />
);

/** The line, as a link to it in the program, and the text without its macros where there are any. */
function Place({ of: { line, column, expansion }, run }: { of: ReportFinding | ReportBranch; run: Reported }) {
  const start = offsetOf(run.text, line, column);
  return (
    <p>
      {start === null ? (
        `line ${line}`
      ) : (
        <button type="button" class="link" onClick={() => (placeWanted.value = start)}>
          line {line}
        </button>
      )}
      , column {column}
      {expansion !== null && (
        <>
          ; with macros expanded <code>{expansion}</code>
        </>
      )}
    </p>
  );
}

function AboutFinding({ finding, run }: { finding: ReportFinding; run: Reported }) {
  const { kind, input, after, because, assumes, text, hint } = finding;
  const own =
    kind === "always" ? (
      "the other branch’s own condition"
    ) : (
      <>
        its own condition <code>{text}</code>
      </>
    );
  return (
    <>
      {hint !== null && <p>Perhaps a mistake: {quoted(hint)}.</p>}
      {kind === "open" ? <Needs state={input} /> : input && <InputLine input={input} of={run.cfg} />}
      <After calls={after} />
      {because && <Because excludedBy={because} tab="report" own={own} {...(kind === "always" && { excluded: "the other branch" })} />}
      <Assumes all={run.document.assumptions} ids={assumes} />
      <Place of={finding} run={run} />
    </>
  );
}

export function Findings({ run }: { run: Reported }) {
  return (
    <>
      {findingGroups(run.document.findings).map(({ kind, findings }) => {
        const { title, says, sign, className } = HEADINGS[kind];
        return (
          <Section key={kind} kind={`finding ${kind}`} title={`${title}: ${grouped(findings.length)}`} says={says}>
            <Rows<Numbered>
              label={title}
              all={findings}
              row={({ finding, at }) => (
                <Row
                  key={at}
                  kind="finding"
                  at={at}
                  run={run}
                  className={className}
                  where={grouped(finding.line)}
                  sign={sign}
                  signName={title}
                  text={
                    <>
                      <code>{finding.text}</code>{" "}
                      <span class={kind === "error" ? "what" : "what muted"}>{quoted(shortFinding(finding))}</span>
                    </>
                  }
                  {...(finding.assumes.length > 0 && { size: resting(finding.assumes)! })}
                >
                  {() => <AboutFinding finding={finding} run={run} />}
                </Row>
              )}
            />
          </Section>
        );
      })}
    </>
  );
}

/** What excludes an infeasible branch without lines to name, in a few words. */
function withoutLines({ itself, values, facts, runs }: CoverExclusion): string {
  const [part, holds] = [values[0], facts[0]];
  if (itself) return "it never holds";
  if (part?.values.every(({ value }) => value !== null))
    return `${part.name} is ${part.values.map(({ value }) => value).join(" or ")} here`;
  if (holds) return facts.length === 1 ? `here always ${holds.join(" and ")}` : "";
  return runs === "every-input" ? "all inputs were run" : runs === "only" ? "every run takes the other side" : "";
}

/** What excludes something, in a few words. */
function shortExclusion(because: CoverExclusion | null): string {
  const lines = because ? reasonsOf(because).map(({ line }) => line) : [];
  if (lines.length > 0) return `excluded by ${new Set(lines).size > 1 ? "lines" : "line"} ${lineRuns(lines)}`;
  return because ? withoutLines(because) : "";
}

/** Why there is no test, in a few words. */
export const shortReason = ({ verdict, because, open }: ReportBranch): string =>
  verdict === "infeasible" ? shortExclusion(because) : (open ?? "");

/** What is found, and why, in a few words. */
function shortFinding({ kind, evidence, because }: ReportFinding): string {
  const why = kind === "always" && because?.itself ? "the other branch never holds" : shortExclusion(because);
  return why === "" ? evidence : `${evidence}: ${kind === "always" && why.startsWith("excluded ") ? "the other branch is " : ""}${why}`;
}

/** What the verdict on a branch comes from. */
const source = ({ verdict, test }: ReportBranch): string => (test !== null ? `test ${grouped(test + 1)}` : verdict);

export function AboutBranch({ branch, run }: { branch: ReportBranch; run: Reported }) {
  const { verdict, engine, test: number, because, assumes, open, state, text } = branch;
  const test = number === null ? undefined : run.document.tests[number];
  return (
    <>
      {test && (
        <p>
          Test {grouped(number! + 1)}, from {engineName(engine)}, takes it.
        </p>
      )}
      {test && <InputLine input={test.input} of={run.cfg} />}
      {test && <After calls={test.after} />}
      {verdict === "infeasible" && <p>No execution takes it: proved by {engineName(engine)}.</p>}
      {because && (
        <Because
          excludedBy={because}
          tab="report"
          own={
            <>
              its own condition <code>{text}</code>
            </>
          }
        />
      )}
      {open !== null && <p>{engineName(engine)} searched last.</p>}
      <Needs state={state} />
      <Assumes all={run.document.assumptions} ids={assumes} />
      <Place of={branch} run={run} />
    </>
  );
}

/** The branches with verdicts, tests and reasons. */
const branchTable = ({ document: { list, tests }, cfg }: Reported): Table => ({
  head: ["line", "column", "branch", "verdict", "engine", "test", "input", "reason", "assumes"],
  rows: list.map(({ line, column, text, verdict, engine, test, because, open, assumes }) => [
    String(line),
    String(column),
    text,
    verdict,
    engine,
    test === null ? "" : String(test + 1),
    test === null ? "" : inputText(tests[test]!.input, cfg),
    verdict === "infeasible" && because
      ? reasonsOf(because)
          .map(({ line, text }) => `line ${line}: ${text}`)
          .join("; ") || shortExclusion(because)
      : (open ?? ""),
    assumes.join(" "),
  ]),
});

export function Branches({ run }: { run: Reported }) {
  const { list } = run.document;
  if (list.length === 0) return null;
  return (
    <Section
      kind="branches"
      title={plural(list.length, "branch", "branches")}
      says="Each side of each decision, by line."
      aside={<SaveTable title="the branches" file={`${run.cfg.function}-report`} table={() => branchTable(run)} />}
    >
      <Rows<ReportBranch>
        label="Branches"
        all={list}
        row={(branch, at) => (
          <Row
            key={at}
            kind="branch"
            at={at}
            run={run}
            className={branch.verdict}
            where={grouped(branch.line)}
            sign={SIGNS[branch.verdict]}
            signName={branch.verdict}
            text={
              <>
                <code>{branch.text}</code>
                <span class="what muted"> {quoted(shortReason(branch))}</span>
              </>
            }
            size={`${resting(branch.assumes) ?? source(branch)} · ${engineName(branch.engine)}`}
          >
            {() => <AboutBranch branch={branch} run={run} />}
          </Row>
        )}
      />
    </Section>
  );
}

export function Tests({ run }: { run: Reported }) {
  const { tests, assumptions, list } = run.document;
  if (tests.length === 0) return null;
  const taken = (at: number): number => list.filter(({ test }) => test === at).length;
  return (
    <Section kind="tests" title={plural(tests.length, "test")} says="Each replayed.">
      <Rows<ReportTest>
        label="Tests"
        all={tests}
        row={({ input, after, assumes }, at) => (
          <Row
            key={at}
            kind="test"
            at={at}
            run={run}
            className="covered"
            where={grouped(at + 1)}
            sign={SIGNS.covered}
            signName="test"
            text={inputText(input, run.cfg)}
            size={
              resting(assumes) ?? (after.length > 0 ? `after ${plural(after.length, "call")}` : plural(taken(at), "branch", "branches"))
            }
          >
            {() => (
              <>
                <InputLine input={input} of={run.cfg} />
                <After calls={after} />
                <Assumes all={assumptions} ids={assumes} />
              </>
            )}
          </Row>
        )}
      />
    </Section>
  );
}
