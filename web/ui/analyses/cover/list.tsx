// What a run of Cover found: tests, errors, and the statements that no test covers, one list for each reason.

import { After, Needs } from "../../parts/after";
import { Assumes, resting } from "../../parts/assumes";
import { Because, isExplained } from "../../parts/because";
import { InputLine } from "../../parts/input-line";
import { quoted } from "../../parts/quoted";
import { Row as Chosen, type RowProps, Rows, Section } from "../../parts/rows";
import { SaveTable } from "../../parts/save-table";
import { Term } from "../../parts/term";
import type { CoverDocument, CoverDraw, CoverError, CoverStatement } from "../../protocol";
import { change, current } from "../../state/state";
import { inputText, lineRuns, valueText } from "../../text/inputs";
import { grouped, plural } from "../../text/numbers";
import type { Table } from "../../text/tables";
import { verdictOfBranches } from "../background";
import {
  boundOf,
  type ChosenKind,
  type CoverRun,
  choose,
  HEADINGS,
  isChosen,
  type Kind,
  leadsToExit,
  listOf,
  SIGNS,
  testsOf,
} from "./state";

/** What a test draws besides what the program calls for: which evaluation comes first, what a volatile object or a function without a body gives. */
function Drawn({ draws }: { draws: readonly CoverDraw[] }) {
  const told = draws.filter(({ text }) => text !== "nondet()");
  if (told.length === 0) return null;
  // `r (volatile)`, `g = nondet() by tick()`, `inc() first`.
  const words = ({ text, value }: CoverDraw) =>
    text.replace(/ \(volatile\)$/, " = nondet(), volatile").replace("nondet()", valueText(value));
  return (
    <p>
      Drawn:{" "}
      {told.map((draw, at) => (
        <span key={at}>
          {at > 0 && "; "}line {draw.line}: <code>{words(draw)}</code>
        </span>
      ))}
      .
    </p>
  );
}

/** A row of what can be looked at. */
const Row = ({ kind, at, run, ...row }: Omit<RowProps, "chosen" | "usable" | "choose"> & { kind: ChosenKind; run: CoverRun }) => (
  <Chosen {...row} at={at} chosen={isChosen(kind, at)} usable={current(run)} choose={() => choose(kind, at)} />
);

/** Why there is no test: a limit is no reason to say that nothing completes. */
function whyNone({ complete, bounded, not_within }: CoverDocument): string {
  if (!complete) return "None was found within the limit.";
  return bounded && not_within.length > 0
    ? "No execution within the bound completes."
    : "No execution completes: each fails or goes on for ever.";
}

export function Tests({ run }: { run: CoverRun }) {
  const tests = testsOf(run);
  // Edges that a test is the first to pass.
  const seen = new Set<number>();
  const fresh = tests.map(({ edges }) => edges.filter((edge) => !seen.has(edge) && seen.add(edge)));
  const lineOf = (edge: number): number => run.cfg.edges[edge]?.line ?? 0;
  if (tests.length === 0)
    return run.document ? (
      <Section kind="tests" title="No test" says={whyNone(run.document)}>
        {null}
      </Section>
    ) : null;
  return (
    <Section kind="tests" title={plural(tests.length, "test")} says={run.document ? "" : "so far"}>
      <Rows
        label="Tests"
        all={tests}
        row={({ edges, input, after, draws, assumes }, index) => (
          <Row
            key={index}
            kind="test"
            at={index}
            run={run}
            className="covered"
            where={grouped(index + 1)}
            sign={SIGNS.covered}
            signName="test"
            text={inputText(input, run.cfg)}
            size={resting(assumes) ?? (after.length > 0 ? `after ${plural(after.length, "call")}` : plural(edges.length, "edge"))}
          >
            {() => (
              <>
                <InputLine input={input} of={run.cfg} />
                <After calls={after} />
                <Drawn draws={draws} />
                <Assumes all={run.document?.assumptions} ids={assumes} />
                <p>
                  Lines {lineRuns(edges.map(lineOf))}
                  {fresh[index]!.length > 0 ? (
                    <>
                      ; first to pass {plural(fresh[index]!.length, "statement")}, in lines {lineRuns(fresh[index]!.map(lineOf))}
                    </>
                  ) : (
                    "; passes nothing new"
                  )}
                  .
                </p>
              </>
            )}
          </Row>
        )}
      />
    </Section>
  );
}

export function Errors({ run }: { run: CoverRun }) {
  const errors = run.document?.errors ?? [];
  if (errors.length === 0) return null;
  return (
    <Section kind="errors" title={plural(errors.length, "error")} says="A test for each place where a run fails.">
      <Rows<CoverError>
        label="Errors"
        all={errors}
        row={({ line, text, error, input, edges, after, assumes }, index) => (
          <Row
            key={index}
            kind="error"
            at={index}
            run={run}
            className="failure"
            where={grouped(line)}
            sign="!"
            signName="error"
            text={
              <>
                <code>{text}</code> <span class="what">{quoted(error)}</span>
              </>
            }
            size={resting(assumes) ?? (after.length > 0 ? `after ${plural(after.length, "call")}` : plural(edges.length, "edge"))}
          >
            {() => (
              <>
                <InputLine input={input} of={run.cfg} />
                <After calls={after} />
                <Assumes all={run.document?.assumptions} ids={assumes} />
              </>
            )}
          </Row>
        )}
      />
    </Section>
  );
}

/** What the answer's run of Branches, or that of its tab, knows of a statement for which Cover has neither a test nor a proof. */
function Elsewhere({ edge }: { edge: number }) {
  const verdict = verdictOfBranches(edge);
  if (verdict === "open") return null;
  return (
    <p>
      <button type="button" class="link" onClick={() => change({ tab: "branches" })}>
        Branches
      </button>{" "}
      has {verdict === "covered" ? "a test for it" : "a proof that no execution takes it"}.
    </p>
  );
}

function About({ statement, kind, run }: { statement: CoverStatement; kind: Kind; run: CoverRun }) {
  const { evidence, reached_by } = statement;
  const bounded = run.document?.bounded === true && kind !== "open";
  return (
    <>
      {evidence && <p>{evidence[0]!.toUpperCase() + evidence.slice(1)}.</p>}
      <Assumes all={run.document?.assumptions} ids={statement.assumes} />
      {kind === "open" && run.note && <p>{run.note[0]!.toUpperCase() + run.note.slice(1)}.</p>}
      <Needs state={statement.state} />
      {(kind === "open" || kind === "within") && <Elsewhere edge={statement.edge} />}
      {(statement.because.length > 0 || isExplained(statement.excluded_by)) && (
        <Because
          excludedBy={statement.excluded_by}
          tab="cover"
          own={
            <>
              its own condition <code>{statement.text}</code>
            </>
          }
          within={bounded ? `, within ${plural(boundOf(run) ?? 0, "unwinding")}` : ""}
        />
      )}
      {kind === "never" && !leadsToExit(run.cfg, statement.edge) && <p>No way leads from there to the exit.</p>}
      {reached_by && (
        <>
          <p>Reached with</p>
          <InputLine input={reached_by} of={run.cfg} />
        </>
      )}
      {kind === "within" && !reached_by && <p>No execution within the bound even reaches it.</p>}
    </>
  );
}

const statementTable = (statements: readonly CoverStatement[]): Table => ({
  head: ["line", "column", "statement", "evidence", "excluded by", "assumes"],
  rows: statements.map(({ line, column, text, evidence, because, assumes }) => [
    String(line),
    String(column),
    text,
    evidence,
    because.map(({ line, text }) => `line ${line}: ${text}`).join("; "),
    assumes.join(" "),
  ]),
});

/** In the glossary. */
const TERMS = { never: "never completes", within: "not within" } as const;

export function Statements({ run, kind, name }: { run: CoverRun; kind: Exclude<Kind, "covered">; name: string }) {
  const statements = run.document ? listOf(run.document, kind) : [];
  if (statements.length === 0) return null;
  const { title, says } = HEADINGS[kind];
  return (
    <Section
      kind={kind}
      title={
        <>
          {kind === "never" || kind === "within" ? <Term of={TERMS[kind]}>{title(boundOf(run))}</Term> : title(boundOf(run))}:{" "}
          {plural(statements.length, "statement")}
        </>
      }
      says={says}
      aside={<SaveTable title={name} file={`${run.cfg.function}-${kind}`} table={() => statementTable(statements)} />}
    >
      <Rows<CoverStatement>
        label={name}
        all={statements}
        row={(statement) => (
          <Row
            key={statement.edge}
            kind="statement"
            at={statement.edge}
            run={run}
            className={kind}
            where={grouped(statement.line)}
            sign={SIGNS[kind]}
            signName={name}
            text={
              <>
                <code>{statement.text}</code>
                {statement.copy && <span class="what">, {quoted(statement.copy)}</span>}
              </>
            }
            {...(resting(statement.assumes) !== null
              ? { size: resting(statement.assumes)! }
              : statement.reached_by
                ? { size: "reached" }
                : {})}
          >
            {() => <About statement={statement} kind={kind} run={run} />}
          </Row>
        )}
      />
    </Section>
  );
}
