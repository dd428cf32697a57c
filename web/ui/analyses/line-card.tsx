// What is known of the line at the cursor, below the program: whether it runs, an input that gets there, or why none does.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Assumes } from "../parts/assumes";
import { Because } from "../parts/because";
import { Icon } from "../parts/icons";
import { quoted } from "../parts/quoted";
import { showChosen } from "../parts/rows";
import type { ReportBranch, ReportFinding } from "../protocol";
import { change, cursorLine, programShown, refused, settings } from "../state/state";
import { inputText } from "../text/inputs";
import { knowledgeOf, type LineKnowledge } from "./lines";
import { choose, isChosen, SIGNS } from "./report/state";

const NAMES: Record<string, string> = { covered: "runs", infeasible: "never runs", open: "open", failure: "fails" };

/** Shows a row of the Report. */
function showRow(kind: "branch" | "finding", at: number): void {
  if (!isChosen(kind, at)) choose(kind, at);
  programShown.value = false;
  change({ tab: "report" });
  showChosen(`.report-pane .kind.${kind === "branch" ? "branches" : "finding"} li.chosen`);
}

function Branch({ branch, at, about }: { branch: ReportBranch; at: number; about: LineKnowledge }) {
  const { verdict, text, test, because, open, assumes } = branch;
  const input = test === null ? undefined : about.tests[test]?.input;
  return (
    <li class={verdict}>
      <p>
        <span class="verdict" aria-hidden="true">
          {SIGNS[verdict]}
        </span>{" "}
        <code>{text}</code>{" "}
        {verdict === "infeasible"
          ? "never holds here"
          : verdict === "open"
            ? quoted(open ?? "")
            : input && (
                <>
                  with <code>{inputText(input, about.of.cfg)}</code>
                </>
              )}{" "}
        <button type="button" class="link" onClick={() => showRow("branch", at)}>
          in the Report
        </button>
      </p>
      {because && <Because excludedBy={because} tab={settings.value.tab} own={<>its own condition</>} />}
      {verdict !== "covered" && <Assumes all={about.assumptions} ids={assumes} />}
    </li>
  );
}

function Finding({ finding, at, about }: { finding: ReportFinding; at: number; about: LineKnowledge }) {
  const { text, evidence, input, because, kind } = finding;
  return (
    <li class={kind === "error" ? "failure" : "infeasible"}>
      <p>
        <span class="verdict" aria-hidden="true">
          {kind === "error" ? "!" : "✕"}
        </span>{" "}
        <code>{text}</code> {quoted(evidence)}
        {input && (
          <>
            {" "}
            with <code>{inputText(input, about.of.cfg)}</code>
          </>
        )}{" "}
        <button type="button" class="link" onClick={() => showRow("finding", at)}>
          in the Report
        </button>
      </p>
      {because && <Because excludedBy={because} tab={settings.value.tab} own={<>its own condition</>} />}
    </li>
  );
}

export function LineCard() {
  // A line whose card was closed stays without, until the cursor leaves it.
  const closed = useSignal<number | null>(null);
  const line = cursorLine.value;
  useEffect(() => {
    if (closed.peek() !== line) closed.value = null;
  }, [line]);
  const about = useComputed(() => (cursorLine.value === null || refused.value ? null : knowledgeOf(cursorLine.value))).value;
  if (!about || closed.value === about.line) return null;
  const { branches, findings, input, dead, signs, of } = about;
  const close = (): void => void (closed.value = about.line);
  return (
    <section
      class="line-card"
      aria-label={`Line ${about.line}`}
      tabIndex={0}
      onKeyDown={(e) => {
        if (e.key === "Escape") close();
      }}
    >
      <p class="head" role="status">
        <b>Line {about.line}</b>
        {signs.map(({ name, text }) => (
          <span key={name} class={`sign ${name}`}>
            {text} {NAMES[name]}
          </span>
        ))}
        <button type="button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </p>
      <ul>
        {findings.map(({ finding, at }) => (
          <Finding key={`finding ${at}`} finding={finding} at={at} about={about} />
        ))}
        {branches.map(({ branch, at }) => (
          <Branch key={at} branch={branch} at={at} about={about} />
        ))}
        {input && (
          <li>
            A run gets here with <code>{inputText(input, of.cfg)}</code>.
          </li>
        )}
        {dead.map(({ text, edge, excluded_by: because }) => (
          <li key={`dead ${edge}`} class="infeasible">
            <p>
              <span class="verdict" aria-hidden="true">
                ✕
              </span>{" "}
              <code>{text}</code> never runs
            </p>
            <Because excludedBy={because} tab={settings.value.tab} own={<>its own condition</>} />
          </li>
        ))}
      </ul>
    </section>
  );
}
