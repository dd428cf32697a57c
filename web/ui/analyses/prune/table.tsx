// P(l), P′(l) and FP(l) of a pruned graph: table and chart.

import { Assumes, ofRows } from "../../parts/assumes";
import { Chart } from "../../parts/chart";
import { basis, type Column, Count, CountTable, Feasible } from "../../parts/count-table";
import { SaveTable } from "../../parts/save-table";
import { Term } from "../../parts/term";
import type { PruneRow } from "../../protocol";
import { duration, share } from "../../text/numbers";
import type { Table } from "../../text/tables";
import { EvidenceLink } from "../evidence-link";
import type { PruneRun } from "./red-state";

const COUNTS: readonly Column<PruneRow>[] = [
  {
    title: (
      <>
        <span class="whole">In S:</span>{" "}
        <span class="whole">
          P(<i>l</i>)
        </span>
      </>
    ),
    cell: (row) => <Count digits={row.original} />,
  },
  {
    title: (
      <>
        <span class="whole">In S′:</span>{" "}
        <span class="whole">
          P′(<i>l</i>)
        </span>
      </>
    ),
    cell: (row) => <Count digits={row.pruned} />,
  },
];
const SHARE: Column<PruneRow> = { title: "P′/P", cell: (row) => share(row.pruned, row.original) };
const FEASIBLE: Column<PruneRow> = {
  title: (
    <>
      Feasible:{" "}
      <span class="whole">
        FP(<i>l</i>)
      </span>
    </>
  ),
  cell: (row) => <Feasible row={row} />,
};

const countTable = (rows: readonly PruneRow[]): Table => ({
  head: ["length", "original", "pruned", "feasible"],
  rows: rows.map(({ length, original, pruned, feasible }) => [String(length), original, pruned, feasible ?? ""]),
});

/** In brief, where there is little room: what can be read off the rest is left out. */
export function PruneTable({ run, brief = false }: { run: PruneRun; brief?: boolean }) {
  const {
    document,
    asked: { feasible },
  } = run;
  if (!document)
    return (
      <p class="muted">
        {run.state === "running"
          ? "The paths are counted when the red–black graph is complete."
          : "There are no counts: the run did not come to its end."}
      </p>
    );
  const { table } = document;
  return (
    <>
      <div class="result">
        <div>
          <SaveTable title="the numbers of paths" file={`${run.cfg.function}-pruned`} table={() => countTable(table)} />
          <CountTable
            of={run.cfg.function}
            className="prune"
            rows={table}
            columns={[...COUNTS, ...(brief ? [] : [SHARE]), ...(feasible ? [FEASIBLE] : [])]}
          />
        </div>
        {table.length > 1 && (
          <Chart
            rows={table.map(({ length, original, pruned, feasible }) => ({ length, total: original, pruned, feasible }))}
            feasible={feasible}
            small={brief}
          />
        )}
      </div>
      <p class="muted small">
        <Term of="S′" /> has every feasible path of S: each of its edges, cuts and subsumptions has a checked certificate.{" "}
        {basis(document.feasible_by)} {run.ms !== null && `Made and counted in ${duration(run.ms)}.`}
      </p>
      <Assumes all={document.assumptions} ids={ofRows([document.graph, ...table])} />
      <EvidenceLink name={`Pruned graph of ${run.cfg.function}`} evidence={run.evidence} />
    </>
  );
}
