// What the explanations are worth: the paper's Tables II and III for this program, what is left without the families, and
// how the speed-up depends on lengths.

import { Assumes } from "../../parts/assumes";
import { Chart } from "../../parts/chart";
import { Count, CountTable } from "../../parts/count-table";
import { LogChart } from "../../parts/log-chart";
import { Term } from "../../parts/term";
import type { ExplainComparison, ExplainDocument, ExplainTally } from "../../protocol";
import { duration, grouped, plural, share, short } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import type { ExplainRun } from "./state";

/** So many families are compared, evenly chosen. */
const COMPARED = 40;

/** Browsers tell time in steps of up to a tenth of a millisecond; what was not even one is not nothing. */
const millis = (us: number): string => (us === 0 ? "< 0.1 ms" : `${(us / 1000).toFixed(us < 10_000 ? 3 : 1)} ms`);
/** The step of a browser's clock, in microseconds. */
const TICK = 100;
/** How many times as fast generalizing is, all in all. Where so little time went by that the clock's steps decide, only
 * what is certain: each measured time may be one step too short. */
function speedUp(rows: readonly ExplainComparison[]): { ratio: number; certain: boolean } {
  const sum = (of: (row: ExplainComparison) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const [generation, exhaustive] = [sum((row) => row.generation_us), sum((row) => row.exhaustive_us)];
  const certain = generation >= 20 * TICK;
  return { ratio: exhaustive / (certain ? generation : generation + rows.length * TICK), certain };
}
const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / (all.length || 1);
const ratio = (row: ExplainComparison): number | null => (row.generation_us > 0 ? row.exhaustive_us / row.generation_us : null);

function Generalized({ document }: { document: ExplainDocument }) {
  return (
    <table class="paths">
      <caption>
        Infeasible prefixes of at most {grouped(document.max_instructions)} instructions, and the paths of their families (Table II)
      </caption>
      <thead>
        <tr>
          <th scope="col">Program</th>
          <th scope="col" class="number">
            Infeasible prefixes
          </th>
          <th scope="col" class="number">
            Paths: average
          </th>
          <th scope="col" class="number">
            Maximum
          </th>
          {document.order === "all" && (
            <th scope="col" class="number">
              All explanations of a prefix: average
            </th>
          )}
          {document.order === "all" && (
            <th scope="col" class="number">
              Maximum
            </th>
          )}
          <th scope="col" class="number">
            All <Term of="family">families</Term> united, none beginning another
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{document.function}</th>
          <td class="number">{grouped(document.infeasible_prefixes)}</td>
          <td class="number">{grouped(document.generalized.average.toFixed(2))}</td>
          <td class="number">
            <Count digits={document.generalized.maximum} />
          </td>
          {document.order === "all" && <td class="number">{grouped(document.united.average.toFixed(2))}</td>}
          {document.order === "all" && (
            <td class="number">
              <Count digits={document.united.maximum} />
            </td>
          )}
          <td class="number">{document.union ? <Count digits={document.union.paths} /> : "not united"}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Compared({ document, measure, busy }: { document: ExplainDocument; measure: () => void; busy: boolean }) {
  const all = document.comparison;
  if (all.length === 0) {
    return (
      <p>
        <button type="button" disabled={busy || document.families.length === 0} onClick={measure}>
          Measure the speed-up
        </button>{" "}
        <span class="muted">proves every path of up to {COMPARED} families by itself too, with the same check.</span>
      </p>
    );
  }
  const rows = all.filter((row) => row.bound === document.max_instructions);
  const [generation, exhaustive] = [rows.map((row) => row.generation_us), rows.map((row) => row.exhaustive_us)];
  const { ratio: speed, certain } = speedUp(rows);
  return (
    <table class="paths">
      <caption>
        Generalizing beside proving path by path, {plural(rows.length, "family", "families")} of {grouped(document.families.length)} (Table
        III)
      </caption>
      <thead>
        <tr>
          <th scope="col" class="number">
            Generalizing: average
          </th>
          <th scope="col" class="number">
            Maximum
          </th>
          <th scope="col" class="number">
            Path by path: average
          </th>
          <th scope="col" class="number">
            Maximum
          </th>
          <th scope="col" class="number">
            Speed-up
          </th>
          <th scope="col" class="number">
            Queries: generalizing / path by path
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td class="number">{millis(mean(generation))}</td>
          <td class="number">{millis(Math.max(...generation))}</td>
          <td class="number">{millis(mean(exhaustive))}</td>
          <td class="number">{millis(Math.max(...exhaustive))}</td>
          <td class="number">
            <b>
              {certain ? "" : "≥ "}
              {speed.toFixed(1)}
            </b>
          </td>
          <td class="number">
            {grouped(rows.reduce((sum, row) => sum + row.generation_queries, 0))} /{" "}
            {grouped(rows.reduce((sum, row) => sum + row.exhaustive_queries, 0))}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Explored({ document }: { document: ExplainDocument }) {
  const row = (name: string, tally: ExplainTally) => (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">{grouped(tally.prefixes)}</td>
      <td class="number">{grouped(tally.queries)}</td>
      <td class="number">{grouped(tally.refutations)}</td>
      <td class="number">{millis(tally.time_us)}</td>
    </tr>
  );
  return (
    <table class="paths">
      <caption>
        Exploring up to {grouped(document.max_instructions)} instructions; with the families learned, what they accept is skipped (
        {plural(document.skipped, "prefix", "prefixes")})
      </caption>
      <thead>
        <tr>
          <th scope="col">Exploring</th>
          <th scope="col" class="number">
            Prefixes refuted
          </th>
          <th scope="col" class="number">
            Queries
          </th>
          <th scope="col" class="number">
            Refutations
          </th>
          <th scope="col" class="number">
            Time
          </th>
        </tr>
      </thead>
      <tbody>
        {row("as it is", document.without)}
        {document.with && row("with the families learned", document.with)}
      </tbody>
    </table>
  );
}

function Rest({ document }: { document: ExplainDocument }) {
  const rows = document.union?.lengths;
  if (!rows) return null;
  return (
    <div class="result">
      <CountTable
        of={document.function}
        rows={rows}
        columns={[
          {
            title: (
              <>
                In S:{" "}
                <span class="whole">
                  P(<i>l</i>)
                </span>
              </>
            ),
            cell: (row) => <Count digits={row.total} />,
          },
          { title: "Without the families", cell: (row) => <Count digits={row.rest} /> },
          { title: "Left", cell: (row) => share(row.rest, row.total) },
        ]}
      />
      {rows.length > 1 && (
        <Chart
          rows={rows.map(({ length, total, rest }) => ({ length, total, pruned: rest, feasible: null }))}
          feasible={false}
          kept={{ symbol: "rest", name: "the rest", about: "without the families" }}
        />
      )}
    </div>
  );
}

export function Tables({ run, measure }: { run: ExplainRun | null; measure: (compare: number) => void }) {
  const document = run?.document;
  if (!run || !document)
    return (
      <div class="counts scroll" tabIndex={0} role="region" aria-label="Tables and charts">
        <p class="muted">
          {run?.state === "running"
            ? "The tables are made when everything is explored."
            : "There are no tables: the run did not come to its end."}
        </p>
      </div>
    );
  const all = document.comparison;
  const bounds = [...new Set(all.map((row) => row.bound))].sort((a, b) => a - b);
  const byLength = all.flatMap((row) => {
    const y = ratio(row);
    return y !== null && y > 0 && row.bound === document.max_instructions
      ? [
          {
            x: row.instructions,
            log: Math.log10(y),
            title: `${plural(row.instructions, "instruction")}: ${y.toFixed(1)} times as fast, ${short(row.paths)} paths`,
          },
        ]
      : [];
  });
  // Single families are shown by their time only where the clock is fine enough for them.
  const own = all.filter((row) => row.bound === document.max_instructions);
  const timed = own.filter((row) => row.generation_us >= TICK).length >= 0.75 * own.length;
  const byQueries = all.flatMap((row) => {
    if (row.bound !== document.max_instructions || row.generation_queries === 0 || row.exhaustive_queries === 0) return [];
    const y = row.exhaustive_queries / row.generation_queries;
    return [
      {
        x: row.instructions,
        log: Math.log10(y),
        title: `${plural(row.instructions, "instruction")}: ${grouped(row.exhaustive_queries)} queries instead of ${grouped(row.generation_queries)}`,
      },
    ];
  });
  const byBound = bounds.flatMap((bound) => {
    const { ratio: y, certain } = speedUp(all.filter((row) => row.bound === bound));
    return y > 0 && certain
      ? [{ x: bound, log: Math.log10(y), title: `up to ${plural(bound, "instruction")}: ${y.toFixed(1)} times as fast` }]
      : [];
  });
  const queriesByBound = bounds.flatMap((bound) => {
    const rows = all.filter((row) => row.bound === bound);
    const [mine, theirs] = [
      rows.reduce((sum, row) => sum + row.generation_queries, 0),
      rows.reduce((sum, row) => sum + row.exhaustive_queries, 0),
    ];
    return mine > 0 && theirs > 0
      ? [
          {
            x: bound,
            log: Math.log10(theirs / mine),
            title: `up to ${plural(bound, "instruction")}: ${grouped(theirs)} queries instead of ${grouped(mine)}`,
          },
        ]
      : [];
  });
  return (
    <div class="counts scroll" tabIndex={0} role="region" aria-label="Tables and charts">
      <Generalized document={document} />
      <Compared document={document} busy={run.state === "running"} measure={() => measure(COMPARED)} />
      {all.length > 1 && (
        <div class="result">
          {timed && byLength.length > 1 && (
            <LogChart title="Speed-up by length of the prefix (Fig. 9)" axis="instructions of the prefix" series={[{ marks: byLength }]} />
          )}
          {byQueries.length > 1 && (
            <LogChart
              title="How many times fewer queries to the solver, by length of the prefix"
              axis="instructions of the prefix"
              series={[{ marks: byQueries }]}
            />
          )}
          {queriesByBound.length > 1 && (
            <LogChart
              title="The same by the bound on generalized paths"
              axis="instructions of the paths, at most"
              series={[{ marks: queriesByBound, joined: true }]}
            />
          )}
          {byBound.length > 1 && (
            <LogChart
              title="Speed-up by the bound on generalized paths (Fig. 10)"
              axis="instructions of the paths, at most"
              series={[{ marks: byBound, joined: true }]}
            />
          )}
        </div>
      )}
      {all.length > 0 && !timed && (
        <p class="muted small">
          Browsers tell time in steps of 0.1 ms, and most families took less: single ones are compared by queries, which are exact.{" "}
          <code>culdesac explain</code> measures finer.
        </p>
      )}
      <Explored document={document} />
      <Rest document={document} />
      <Assumes
        all={document.assumptions}
        ids={document.union?.assumes ?? [...new Set(document.families.flatMap((family) => family.assumes))]}
      />
      <EvidenceLink name={`Explanations of ${run.cfg.function}`} evidence={run.evidence} />
      <p class="muted small">Times are of this browser on this device{run.ms !== null && `; the whole run took ${duration(run.ms)}`}.</p>
    </div>
  );
}
