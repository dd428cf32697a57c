// The section on the goals of a coverage criterion: its sentence, each goal with its verdict, the evaluations of decisions, and its tests.

import { After } from "../../parts/after";
import { Assumes, resting } from "../../parts/assumes";
import { InputLine } from "../../parts/input-line";
import { quoted } from "../../parts/quoted";
import { Row, Rows, Section } from "../../parts/rows";
import { GoOn } from "../../parts/run-end";
import { RunState } from "../../parts/run-state";
import { SaveTable } from "../../parts/save-table";
import { SaveTests } from "../../parts/save-tests";
import type { CriteriaAnswer, Criterion, CriterionGoal, CriterionVector, PairKind } from "../../protocol";
import { inputText } from "../../text/inputs";
import { grouped, plural } from "../../text/numbers";
import type { Table } from "../../text/tables";
import { EvidenceLink } from "../evidence-link";
import {
  CRITERIA,
  type CriterionRun,
  criterionChoice,
  criterionRun,
  isCurrentCriterion,
  judgeGoals,
  PAIRS,
  testNumbers,
} from "./criterion";
import { Line, Reason } from "./reason";
import { choose, isChosen, SIGNS, shownDocument } from "./state";

/** What a criterion is called in the settings, its list of goals, and the goals in words. */
export const CRITERION: Record<Criterion, { title: string; list: string; says: string }> = {
  statement: { title: "statements", list: "Statements", says: "Each is executed." },
  branch: { title: "decisions", list: "Outcomes of decisions", says: "Each whole decision has both outcomes." },
  condition: { title: "conditions", list: "Outcomes of conditions", says: "Each condition has both outcomes." },
  mcdc: { title: "MC/DC", list: "Independence pairs", says: "Each condition decides the outcome of its decision by itself." },
  path: { title: "prime paths", list: "Prime paths", says: "A run contains each." },
};

const PAIR_WORDS: Record<PairKind, string> = { masking: "masking", "unique-cause": "unique cause" };

/** The criterion as fields of the settings; its goals are judged as soon as it is chosen. */
export function CriterionFields() {
  const { criterion, pairs } = criterionChoice.value;
  const set = (part: Parameters<typeof criterionChoice.change>[0]): void => {
    criterionChoice.change(part);
    void judgeGoals();
  };
  return (
    <>
      <span class="field">
        <label for="report-criterion">Criterion</label>
        <select
          id="report-criterion"
          value={criterion ?? ""}
          onChange={(e) => set({ criterion: CRITERIA.find((name) => name === e.currentTarget.value) ?? null })}
        >
          <option value="">none: the branches alone</option>
          {CRITERIA.map((name) => (
            <option key={name} value={name}>
              {CRITERION[name].title}
            </option>
          ))}
        </select>
      </span>
      {criterion === "mcdc" && (
        <span class="field">
          <label for="report-pairs">Pairs</label>
          <select
            id="report-pairs"
            value={pairs}
            onChange={(e) => set({ pairs: PAIRS.find((name) => name === e.currentTarget.value) ?? pairs })}
          >
            {PAIRS.map((name) => (
              <option key={name} value={name}>
                {PAIR_WORDS[name]}
              </option>
            ))}
          </select>
        </span>
      )}
    </>
  );
}

/** The chosen criterion in a few words. */
export function criterionWords(): { text: string; changed: boolean }[] {
  const { criterion, pairs } = criterionChoice.value;
  if (criterion === null) return [{ text: "branches", changed: false }];
  const { title } = CRITERION[criterion];
  return [{ text: criterion === "mcdc" ? `${title}, ${PAIR_WORDS[pairs]}` : title, changed: true }];
}

/** A run with its answer, and the numbers of its tests among those of the report. */
interface Judged {
  run: CriterionRun;
  of: CriteriaAnswer;
  numbers: readonly number[];
}

/** The numbers of a goal's tests, as people count. */
const testsOf = ({ tests }: CriterionGoal, { numbers }: Judged): number[] => [...new Set(tests.map((test) => numbers[test]! + 1))];

/** `test 3`, or `tests 1 and 4`. */
const named = (tests: readonly number[]): string =>
  `${tests.length === 1 ? "test" : "tests"} ${tests.map((test) => grouped(test)).join(" and ")}`;

/** The evaluations of a goal's pair, or those without which there is none. */
const valuesOf = ({ vectors = [] }: CriterionGoal, { of }: Judged): string =>
  vectors.map((vector) => of.criterion.vectors?.[vector]?.values ?? "").join(", ");

function AboutGoal({ goal, reason, judged }: { goal: CriterionGoal; reason: string; judged: Judged }) {
  const { run, of, numbers } = judged;
  return (
    <>
      {goal.decision !== undefined && (
        <p>
          In <code>{goal.decision}</code>
          {valuesOf(goal, judged) !== "" && (
            <>
              , {goal.verdict === "covered" ? "evaluated as" : "which needs"} <code>{valuesOf(goal, judged)}</code>
            </>
          )}
          .
        </p>
      )}
      {[...new Set(goal.tests)].map((test) => {
        const { input, after } = of.criterion.tests![test]!;
        return (
          <div key={test}>
            <p>Test {grouped(numbers[test]! + 1)}:</p>
            <InputLine input={input} of={run.cfg} />
            <After calls={after} />
          </div>
        );
      })}
      {reason !== "" && <Reason text={reason} run={run} />}
      <Assumes all={of.assumptions} ids={goal.assumes} />
      <p>
        <Line line={goal.line} column={goal.column} run={run} />, column {goal.column}
      </p>
    </>
  );
}

function Goals({ judged }: { judged: Judged }) {
  const { run, of } = judged;
  return (
    <Rows<CriterionGoal>
      label="Goals of the criterion"
      all={of.criterion.list}
      row={(goal, at) => {
        const tests = testsOf(goal, judged);
        const reason = of.reasons[at] ?? "";
        return (
          <Row
            key={at}
            at={at}
            className={goal.verdict}
            where={grouped(goal.line)}
            sign={SIGNS[goal.verdict]}
            signName={goal.verdict}
            text={
              <>
                <code>{goal.text}</code> <span class="what muted">{reason !== "" ? quoted(reason) : valuesOf(goal, judged)}</span>
              </>
            }
            size={resting(goal.assumes) ?? (tests.length > 0 ? named(tests) : goal.verdict)}
            chosen={isChosen("goal", at)}
            usable={isCurrentCriterion(run)}
            choose={() => choose("goal", at)}
          >
            {() => <AboutGoal goal={goal} reason={reason} judged={judged} />}
          </Row>
        );
      }}
    />
  );
}

const criterionName = ({ name, pairs }: CriteriaAnswer["criterion"]): string => (pairs ? `${name} ${pairs}` : name);

/** The goals, as `culdesac report --criterion --format csv` has them. */
function goalTable(judged: Judged): Table {
  const { run, of } = judged;
  const input = (test: number): string => inputText(of.criterion.tests![test]!.input, run.cfg);
  return {
    head: ["program", "function", "criterion", "line", "column", "goal", "verdict", "tests", "inputs", "reason", "assumes"],
    rows: of.criterion.list.map((goal, at) => [
      of.program,
      of.function,
      criterionName(of.criterion),
      String(goal.line),
      String(goal.column),
      goal.text,
      goal.verdict,
      testsOf(goal, judged).join(" "),
      [...new Set(goal.tests)].map(input).join("; "),
      of.reasons[at] ?? "",
      goal.assumes.join(" "),
    ]),
  };
}

/** The test or the reason of an evaluation. */
const vectorEnd = ({ test }: CriterionVector, at: number, { of, numbers }: Judged): string =>
  test === null ? (of.vector_reasons[at] ?? "") : named([numbers[test]! + 1]);

const VECTORS = ["line", "decision", "values", "outcome", "verdict", "test or reason"];

function vectorTable(judged: Judged): Table {
  const rows = (judged.of.criterion.vectors ?? []).map((vector, at) => [
    `${vector.line}:${vector.column}`,
    vector.decision,
    vector.values,
    String(vector.outcome),
    vector.verdict,
    vectorEnd(vector, at, judged),
  ]);
  return { head: VECTORS, rows };
}

/** The evaluations of decisions with several conditions. */
function Vectors({ judged }: { judged: Judged }) {
  const { run, of } = judged;
  const { vectors = [] } = of.criterion;
  if (vectors.length === 0) return null;
  return (
    <Section
      kind="vectors"
      title={plural(vectors.length, "evaluation")}
      says="Of decisions with several conditions: T, F, or - for a condition that is not evaluated, in the order of the text."
      aside={<SaveTable title="the evaluations" file={`${of.function}-evaluations`} table={() => vectorTable(judged)} />}
    >
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Evaluations of decisions">
        <table class="vectors">
          <thead>
            <tr>
              {VECTORS.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {vectors.map((vector, at) => (
              <tr key={at} class={vector.verdict}>
                <td>
                  <Line line={vector.line} column={vector.column} run={run}>
                    {vector.line}
                  </Line>
                </td>
                <td>
                  <code>{vector.decision}</code>
                </td>
                <td>
                  <code>{vector.values}</code>
                </td>
                <td>{String(vector.outcome)}</td>
                <td class="verdict">
                  <b aria-hidden="true">{SIGNS[vector.verdict]}</b> {vector.verdict}
                </td>
                <td>{quoted(vectorEnd(vector, at, judged))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Answer({ judged }: { judged: Judged }) {
  const { run, of } = judged;
  const { sentence, left_out, tests = [] } = of.criterion;
  return (
    <>
      <p class="sentence">{sentence}</p>
      <Goals judged={judged} />
      {left_out !== undefined && <p class="mark open">Not all are listed: {quoted(left_out)}.</p>}
      <Vectors judged={judged} />
      <p class="summary">
        <EvidenceLink name={`${CRITERION[run.asked.criterion].list} of ${of.function}`} evidence={run.evidence} />
      </p>
      <SaveTests
        run={run}
        tests={[{ function: null, tests }]}
        infeasible={[]}
        title="Save tests of the criterion"
        usable={isCurrentCriterion(run)}
      />
    </>
  );
}

/** The goals of the chosen criterion; nothing where none is chosen. */
export function CriterionGoals() {
  const { criterion } = criterionChoice.value;
  const run = criterionRun.value;
  if (criterion === null) return null;
  const mine = run && run.asked.criterion === criterion ? run : null;
  const of = mine?.document;
  const judged = mine && of && { run: mine, of, numbers: testNumbers(of.criterion.tests ?? [], shownDocument.value?.tests ?? []) };
  const { list, says } = CRITERION[criterion];
  return (
    <Section
      kind="criterion"
      title={of ? `${list}: ${grouped(of.criterion.total)}` : list}
      says={says}
      aside={judged && <SaveTable title="the goals" file={`${of.function}-${criterion}`} table={() => goalTable(judged)} />}
    >
      {mine && <RunState run={mine} current={isCurrentCriterion(mine)} again={() => void judgeGoals()} />}
      {mine && <GoOn run={mine} go={(limit) => void judgeGoals(limit)} />}
      {judged && <Answer judged={judged} />}
    </Section>
  );
}
