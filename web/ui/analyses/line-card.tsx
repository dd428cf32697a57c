// What is known of a line: whether it runs, an input that gets there, or why none does. Of the cursor's line it stands below the program, of
// the one on which the pointer rests beside it.

import { useComputed, useSignal } from "@preact/signals";
import { render } from "preact";
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
        <button type="button" class="link to-report" onClick={() => showRow("branch", at)}>
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
        {kind === "never_runs" &&
          about.needed.map(({ edge, line, text }, at) => (
            <>
              {at > 0 ? ", " : ": it needs "}
              <code key={edge}>{text}</code> (line {line})
            </>
          ))}
        {input && (
          <>
            {" "}
            with <code>{inputText(input, about.of.cfg)}</code>
          </>
        )}{" "}
        <button type="button" class="link to-report" onClick={() => showRow("finding", at)}>
          in the Report
        </button>
      </p>
      {because && <Because excludedBy={because} tab={settings.value.tab} own={<>its own condition</>} />}
    </li>
  );
}

function Signs({ about: { line, signs } }: { about: LineKnowledge }) {
  return (
    <>
      <b>Line {line}</b>
      {signs.map(({ name, text }) => (
        <span key={name} class={`sign ${name}`}>
          {text} {NAMES[name]}
        </span>
      ))}
    </>
  );
}

function Facts({ about }: { about: LineKnowledge }) {
  const { branches, findings, input, dead, of } = about;
  return (
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
  );
}

/** What is known of a line, as an element of its own, to be read: what it leads to stands in the card of a line that is pressed. `null` if
 * nothing is known. */
export function lineTip(line: number): { dom: HTMLElement; destroy: () => void } | null {
  const about = knowledgeOf(line);
  if (!about) return null;
  const dom = document.createElement("div");
  dom.className = "line-tip";
  dom.inert = true;
  render(
    <>
      <p class="head">
        <Signs about={about} />
      </p>
      <Facts about={about} />
    </>,
    dom,
  );
  return { dom, destroy: () => render(null, dom) };
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
        <Signs about={about} />
        <button type="button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </p>
      <Facts about={about} />
    </section>
  );
}
