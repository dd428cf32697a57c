// The places at which C may leave an execution undefined: how many fail, are proved safe or are open, and which.

import { Assumes } from "../../parts/assumes";
import { quoted } from "../../parts/quoted";
import { Section } from "../../parts/rows";
import type { ReportDocument, ReportHazard, ReportHazardVerdict } from "../../protocol";
import { placeWanted } from "../../state/state";
import { grouped, plural } from "../../text/numbers";
import { offsetOf, type ReportRun } from "./state";

const VERDICTS: Record<ReportHazardVerdict, { sign: string; words: string }> = {
  fails: { sign: "!", words: "fails" },
  safe: { sign: "✓", words: "proved safe" },
  open: { sign: "?", words: "open" },
};

function Line({ of, run }: { of: { line: number; column: number }; run: ReportRun }) {
  const start = offsetOf(run.text, of.line, of.column);
  if (start === null) return <>line {of.line}</>;
  return (
    <button type="button" class="link" onClick={() => (placeWanted.value = start)}>
      line {of.line}
    </button>
  );
}

function Hazard({ of, run, document }: { of: ReportHazard; run: ReportRun; document: ReportDocument }) {
  const { sign, words } = VERDICTS[of.verdict];
  return (
    <li>
      <b aria-hidden="true">{sign}</b> {words}: <Line of={of} run={run} />, <code>{of.text}</code>: {quoted(of.what)}
      <Assumes all={document.assumptions} ids={of.assumes} />
    </li>
  );
}

/** Nothing where there is no such place. */
export function Safety({ run, document }: { run: ReportRun; document: ReportDocument }) {
  const { safety } = document;
  if (!safety || safety.total + safety.unjudged.length === 0) return null;
  const counts = (["fails", "safe", "open"] as const).filter((verdict) => safety[verdict] > 0);
  const names = safety.non_null;
  const told = counts
    .map((verdict) => `${grouped(safety[verdict])} ${verdict === "fails" && safety.fails > 1 ? "fail" : VERDICTS[verdict].words}`)
    .join(", ");
  const why = safety.why_open ? ` (${safety.why_open})` : "";
  return (
    <Section
      kind="safety"
      title="Undefined behaviour"
      says={safety.total > 0 ? `Of ${plural(safety.total, "place")} where C may leave a run undefined: ${told}${why}.` : ""}
    >
      {safety.unjudged.length > 0 && (
        <>
          <p>Not judged:</p>
          <ul>
            {safety.unjudged.map(({ line, column, what }, at) => (
              <li key={at}>
                <Line of={{ line, column }} run={run} />: {quoted(what)}
              </li>
            ))}
          </ul>
        </>
      )}
      {names.length > 0 && (
        <p class="assumes">
          Assuming: {names.join(", ")} {names.length === 1 ? "is" : "are"} not null, which the function does not ask.
        </p>
      )}
      {safety.list.length > 0 && (
        <details>
          <summary>The places</summary>
          <ul>
            {safety.list.map((hazard, at) => (
              <Hazard key={at} of={hazard} run={run} document={document} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}
