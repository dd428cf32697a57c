// What a run of Branches found: the tests, and each branch with what is known of it.

import { After, Needs } from "../../parts/after";
import { Assumes, resting } from "../../parts/assumes";
import { Choice } from "../../parts/choice";
import { InputLine } from "../../parts/input-line";
import { quoted } from "../../parts/quoted";
import { Row, Rows, Section } from "../../parts/rows";
import { SaveTable } from "../../parts/save-table";
import type { BranchesSide, BranchesTest } from "../../protocol";
import { current, placeWanted } from "../../state/state";
import { inputText, lineRuns } from "../../text/inputs";
import { grouped, plural } from "../../text/numbers";
import type { Table } from "../../text/tables";
import { type BranchesRun, choose, isChosen, only, SIGNS, VERDICTS } from "./state";

const sentence = (text: string) => <p>{quoted(text[0]!.toUpperCase() + text.slice(1))}.</p>;

function AboutTest({ test: { input, ends, after, assumes, lines }, run }: { test: BranchesTest; run: BranchesRun }) {
  return (
    <>
      <InputLine input={input} of={run.cfg} />
      <After calls={after} />
      {sentence(`it ${ends}`)}
      <Assumes all={run.document?.assumptions} ids={assumes} />
      <p>Lines {lineRuns(lines)}.</p>
    </>
  );
}

export function Tests({ run }: { run: BranchesRun }) {
  const { tests } = run;
  if (tests.length === 0) return null;
  return (
    <Section kind="tests" title={plural(tests.length, "test")} says={run.document ? "" : "so far"}>
      <Rows<BranchesTest>
        label="Tests"
        all={tests}
        row={(test, at) => (
          <Row
            key={at}
            at={at}
            chosen={isChosen("test", at)}
            usable={current(run)}
            choose={() => choose("test", at)}
            className={test.is_defined ? "covered" : "failure"}
            where={grouped(at + 1)}
            sign={test.is_defined ? SIGNS.covered : "!"}
            signName="test"
            text={inputText(test.input, run.cfg)}
            size={resting(test.assumes) ?? plural(test.takes.length, "branch", "branches")}
          >
            {() => <AboutTest test={test} run={run} />}
          </Row>
        )}
      />
    </Section>
  );
}

/** Why something is open. */
function whyOpen({ open }: BranchesSide, { state }: BranchesRun): string {
  return state === "cancelled" ? "the run was stopped before an input or a proof was found" : (open ?? "");
}

function AboutBranch({ side, run }: { side: BranchesSide; run: BranchesRun }) {
  const { verdict, evidence, assumes, test, edges, line, place, column } = side;
  return (
    <>
      {sentence(verdict === "open" ? whyOpen(side, run) : evidence)}
      {test !== null && run.tests[test] && <InputLine input={run.tests[test].input} of={run.cfg} />}
      {test !== null && run.tests[test] && sentence(`it ${run.tests[test].ends}`)}
      {test !== null && run.tests[test] && <After calls={run.tests[test].after} />}
      <Needs state={side.state} />
      <Assumes all={run.document?.assumptions} ids={assumes} />
      <p>
        <button type="button" class="link" onClick={() => (placeWanted.value = place.start)}>
          line {line}
        </button>
        , column {column}
        {edges.length > 1 && `; ${edges.length} copies, one for each call that is inlined`}
      </p>
    </>
  );
}

const branchTable = (run: BranchesRun): Table => ({
  head: ["line", "column", "branch", "verdict", "test", "input", "evidence", "assumes"],
  rows: run.list.map((side) => [
    String(side.line),
    String(side.column),
    side.text,
    side.verdict,
    side.test === null ? "" : String(side.test + 1),
    side.test === null ? "" : inputText(run.tests[side.test]!.input, run.cfg),
    side.verdict === "open" ? whyOpen(side, run) : side.evidence,
    side.assumes.join(" "),
  ]),
});

export function Branches({ run }: { run: BranchesRun }) {
  const { list, counts } = run;
  if (list.length === 0 || !counts) return null;
  const shown = list.map((side, at) => ({ side, at })).filter(({ side }) => only.value === null || side.verdict === only.value);
  const there = VERDICTS.filter((verdict) => counts[verdict] > 0 || verdict === only.value);
  return (
    <Section
      kind="branches"
      title={plural(list.length, "branch", "branches")}
      says="Each side of each decision, by line."
      aside={<SaveTable title="the branches" file={`${run.cfg.function}-branches`} table={() => branchTable(run)} />}
    >
      {there.length > 1 && (
        <Choice
          className="only"
          label="Which branches"
          all={[
            { id: "all", title: "All" },
            ...there.map((verdict) => ({
              id: verdict,
              title: `${SIGNS[verdict]} ${grouped(counts[verdict])}`,
              hint: `Only what is ${verdict}`,
            })),
          ]}
          chosen={only.value ?? "all"}
          onChoose={(id) => (only.value = VERDICTS.find((verdict) => verdict === id) ?? null)}
        />
      )}
      <Rows
        label="Branches"
        all={shown}
        row={({ side, at }) => (
          <Row
            key={at}
            at={at}
            chosen={isChosen("branch", at)}
            usable={current(run)}
            choose={() => choose("branch", at)}
            className={side.verdict}
            where={grouped(side.line)}
            sign={SIGNS[side.verdict]}
            signName={side.verdict}
            text={<code>{side.text}</code>}
            size={resting(side.assumes) ?? (side.test === null ? side.verdict : `test ${grouped(side.test + 1)}`)}
          >
            {() => <AboutBranch side={side} run={run} />}
          </Row>
        )}
      />
    </Section>
  );
}
