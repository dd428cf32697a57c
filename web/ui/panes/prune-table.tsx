// P(l), P′(l) and FP(l) of a pruned graph: table and chart.

import { duration, share } from "../numbers";
import type { PruneRow } from "../protocol";
import type { PruneRun } from "../state";
import { Chart } from "./chart";
import { EvidenceLink } from "./evidence-link";
import { Count, copyInFull } from "./paths";

function Feasible({ row }: { row: PruneRow }) {
  if (row.feasible !== null) return <Count digits={row.feasible} />;
  return <span class="open">? {row.feasible_at_least !== null && row.feasible_at_least !== "0" ? <>at least <Count digits={row.feasible_at_least} /></> : "open"}</span>;
}

export function PruneTable({ run }: { run: PruneRun }) {
  const { document, feasible } = run;
  if (!document) return <p class="muted">{run.state === "running" ? "The paths are counted when the red–black graph is complete." : "There are no counts: the run did not come to its end."}</p>;
  return (
    <>
      <div class="result">
        <table class="paths prune" onCopy={copyInFull}>
          <caption>
            Complete paths of <code>{run.cfg.function}</code> by length
          </caption>
          <thead>
            <tr>
              <th scope="col" class="number">Length ≤ <i>l</i></th>
              <th scope="col" class="number">In S: P(<i>l</i>)</th>
              <th scope="col" class="number">In S′: P′(<i>l</i>)</th>
              <th scope="col" class="number">P′/P</th>
              {feasible && <th scope="col" class="number">Feasible FP(<i>l</i>)</th>}
            </tr>
          </thead>
          <tbody>
            {document.table.map((row) => (
              <tr key={row.length}>
                <th scope="row" class="number">{row.length}</th>
                <td class="number"><Count digits={row.original} /></td>
                <td class="number"><Count digits={row.pruned} /></td>
                <td class="number">{share(row.pruned, row.original)}</td>
                {feasible && <td class="number"><Feasible row={row} /></td>}
              </tr>
            ))}
          </tbody>
        </table>
        {document.table.length > 1 && <Chart rows={document.table.map(({ length, original, pruned, feasible }) => ({ length, total: original, pruned, feasible }))} feasible={feasible} />}
      </div>
      <p class="muted small">
        S′ has every feasible path of S: each of its edges, cuts and subsumptions has a checked certificate.
        {run.ms !== null && ` Made and counted in ${duration(run.ms)}.`}
      </p>
      <EvidenceLink name={`Pruned graph of ${run.cfg.function}`} evidence={run.evidence} />
    </>
  );
}
