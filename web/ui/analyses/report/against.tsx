// What became of the justifications of an earlier version: what no longer holds, and what moved.

import { quoted } from "../../parts/quoted";
import { SaveTable } from "../../parts/save-table";
import type { JustifyAnswer } from "../../protocol";
import { plural } from "../../text/numbers";
import type { Table } from "../../text/tables";
import type { JustifyRun } from "./coverage";
import { Line } from "./reason";

/** All differences, first what no longer holds. */
const differences = ({ stale, moved, branches, new: added }: JustifyAnswer): Table => ({
  head: ["change", "function", "line", "column", "from line", "branch", "reason"],
  rows: [
    ...stale.map((one) => ["no longer holds", one.function, String(one.line), String(one.column), "", one.text, one.reason]),
    ...moved.map((one) => ["moved", one.function, String(one.line), String(one.column), String(one.from_line), one.text, ""]),
    ...(added ?? []).flatMap((at) => {
      const one = branches[at];
      return one ? [["new", one.function, String(one.line), String(one.column), "", one.text, ""]] : [];
    }),
  ],
});

/** Also without an earlier version: tests may take what no execution takes. */
export function Against({ run, of }: { run: JustifyRun; of: JustifyAnswer }) {
  const { stale, moved, new: added } = of;
  if (added === null && stale.length === 0) return null;
  const holding = added === null ? 0 : of.counts.justified - added.length;
  return (
    <div class="against" role="group" aria-label="Justifications of the earlier version">
      {added !== null && (
        <p>
          <SaveTable title="the comparison" file="justifications" table={() => differences(of)} />
          {plural(holding, "justification")} of the earlier version {holding === 1 ? "holds" : "hold"}, {added.length}{" "}
          {added.length === 1 ? "is" : "are"} new.
        </p>
      )}
      {stale.length > 0 && <p>No longer justified, or taken by tests though no execution takes it: {stale.length}.</p>}
      {stale.length > 0 && (
        <ul class="refused" aria-label="No longer hold">
          {stale.map((one, at) => (
            <li key={at} class="mark bad">
              <Line line={one.line} column={one.column} run={run} /> <code>{one.text}</code> in <code>{one.function}</code>:{" "}
              {quoted(one.reason)}
            </li>
          ))}
        </ul>
      )}
      {moved.length > 0 && (
        <ul aria-label="Moved">
          {moved.map((one, at) => (
            <li key={at}>
              <code>{one.text}</code> moved from line {one.from_line} to <Line line={one.line} column={one.column} run={run} />.
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
