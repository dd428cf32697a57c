// The covering algorithms beside each other on random programs: the paper's Table 1 and Figures 4 to 6.

import { useSignal } from "@preact/signals";
import { download } from "../../browser/download";
import { NumberField, Switch } from "../../parts/fields";
import { LogChart, type Series, type Shape } from "../../parts/log-chart";
import { RunControls, type Word } from "../../parts/run-controls";
import { RunState } from "../../parts/run-state";
import { type ComparedRun, MAX_COMPARED_DIAMONDS, MAX_COMPARED_PROGRAMS, MAX_COMPARED_SEED } from "../../protocol";
import { duration, grouped, plural } from "../../text/numbers";
import { type ComparisonRun, comparable, compareAll, comparing, comparisonRun, csvOf, runsOf, tally } from "./compare";
import { type Algorithm, type CompareChoice, compareChoice } from "./settings";
import { CoverViews } from "./views";

/** In the order of the paper's table, ours last. */
const ORDER: readonly Algorithm[] = ["pc", "sc", "fm", "vstte", "prefer"];
const SHAPES: Record<Algorithm, Shape> = { pc: "square", sc: "circle", fm: "up", vstte: "diamond", prefer: "down" };
/** As the paper calls them. */
const NAMES: Record<Algorithm, string> = { pc: "AlgPC", sc: "AlgSC", fm: "AlgFM", vstte: "AlgVSTTE", prefer: "ours" };

/** A mean time; browsers tell it in steps of a tenth of a millisecond. */
const millis = (us: number): string =>
  us === 0 ? "< 0.1 ms" : us < 99_950 ? `${(us / 1000).toFixed(us < 9_995 ? 2 : 1)} ms` : duration(us / 1000);
const number = (value: number): string => grouped(value.toFixed(value < 99.95 ? 1 : 0));

function words({ least, most, programs, seed, algorithms }: CompareChoice): Word[] {
  const usual = compareChoice.defaults;
  const sizes = least === most ? plural(least, "diamond") : `${least}–${most} diamonds`;
  return [
    { text: `${sizes} × ${grouped(programs)}`, changed: least !== usual.least || most !== usual.most || programs !== usual.programs },
    ...(seed === usual.seed ? [] : [{ text: `seeds from ${seed}`, changed: true }]),
    ...(algorithms.length < ORDER.length ? [{ text: algorithms.join(", "), changed: true }] : []),
  ];
}

export function CompareControls({ busy }: { busy: boolean }) {
  const chosen = compareChoice.value;
  const bad = useSignal<readonly string[]>([]);
  const set = (part: Partial<CompareChoice>): void => compareChoice.change(part);
  const fields = (go: () => void) => {
    const field = (label: string, value: number, low: number, high: number, part: (n: number) => Partial<CompareChoice>) => (
      <NumberField
        label={label}
        value={value}
        low={low}
        high={high}
        onEnter={go}
        onChange={(n) => {
          bad.value = [...bad.value.filter((other) => other !== label), ...(n === null ? [label] : [])];
          if (n !== null) set(part(n));
        }}
      />
    );
    return (
      <>
        {field("Diamonds from", chosen.least, 1, MAX_COMPARED_DIAMONDS, (least) => ({ least, most: Math.max(least, chosen.most) }))}
        {field("to", chosen.most, 1, MAX_COMPARED_DIAMONDS, (most) => ({ most, least: Math.min(most, chosen.least) }))}
        {field("Programs of each size", chosen.programs, 1, MAX_COMPARED_PROGRAMS, (programs) => ({ programs }))}
        {field("First seed", chosen.seed, 0, MAX_COMPARED_SEED, (seed) => ({ seed }))}
        <fieldset class="algorithms">
          <legend>Algorithms</legend>
          {ORDER.map((name) => (
            <Switch
              key={name}
              label={name}
              checked={chosen.algorithms.includes(name)}
              onChange={(on) => set({ algorithms: ORDER.filter((other) => (other === name ? on : chosen.algorithms.includes(other))) })}
            />
          ))}
        </fieldset>
      </>
    );
  };
  const ready = bad.value.length === 0 && chosen.algorithms.length > 0;
  return (
    <RunControls
      page="cover.html#on-random-programs"
      busy={busy}
      tasks={[comparing]}
      ready={ready}
      words={words(chosen)}
      reset={() => set({ ...compareChoice.defaults, shown: true })}
      start={() => void compareAll()}
      fields={fields}
    />
  );
}

/** Table 1. */
function Totals({ runs, algorithms }: { runs: readonly ComparedRun[]; algorithms: readonly Algorithm[] }) {
  const totals = algorithms.flatMap((name) => {
    const of = tally(runs, name);
    return of ? [{ name, of }] : [];
  });
  const sc = totals.find(({ name }) => name === "sc")?.of.us ?? 0;
  const open = totals.some(({ of }) => of.open > 0);
  return (
    <table class="paths compared">
      <caption>{plural(totals[0]?.of.programs ?? 0, "program")} covered by each algorithm (Table 1)</caption>
      <thead>
        <tr>
          <th scope="col">Algorithm</th>
          <th scope="col" class="number">
            Queries
          </th>
          <th scope="col" class="number">
            A program
          </th>
          <th scope="col" class="number">
            Tests
          </th>
          <th scope="col" class="number">
            Time
          </th>
          {sc > 0 && (
            <th scope="col" class="number">
              Time, <code>sc</code> = 1
            </th>
          )}
          {open && (
            <th scope="col" class="number">
              Not finished
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {totals.map(({ name, of }) => (
          <tr key={name} class={`alg-${name}`}>
            <th scope="row">
              <code>{name}</code> <span class="muted">{NAMES[name]}</span>
            </th>
            <td class="number">{grouped(of.queries)}</td>
            <td class="number">{number(of.queries / of.programs)}</td>
            <td class="number">{grouped(of.tests)}</td>
            <td class="number">{millis(of.us)}</td>
            {sc > 0 && <td class="number">{(of.us / sc).toFixed(2)}</td>}
            {open && <td class="number">{of.open > 0 ? grouped(of.open) : ""}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function BySize({ runs, algorithms, sizes }: { runs: readonly ComparedRun[]; algorithms: readonly Algorithm[]; sizes: readonly number[] }) {
  return (
    <table class="paths compared by-size">
      <caption>A program’s mean, by its number of diamonds</caption>
      <thead>
        <tr>
          <th scope="col" rowSpan={2} class="number">
            Diamonds
          </th>
          <th scope="colgroup" colSpan={algorithms.length}>
            Queries
          </th>
          <th scope="colgroup" colSpan={algorithms.length}>
            Time
          </th>
        </tr>
        <tr>
          {["queries", "time"].flatMap((what) =>
            algorithms.map((name) => (
              <th key={`${what} ${name}`} scope="col" class="number">
                <code>{name}</code>
              </th>
            )),
          )}
        </tr>
      </thead>
      <tbody>
        {sizes.map((size) => {
          const of = algorithms.map((name) => tally(runs, name, size));
          return (
            <tr key={size}>
              <th scope="row" class="number">
                {size}
              </th>
              {of.map((one, i) => (
                <td key={`q${i}`} class="number" title={one ? `${grouped(one.queriesFrom)} to ${grouped(one.queriesTo)}` : ""}>
                  {one && number(one.queries / one.programs)}
                </td>
              ))}
              {of.map((one, i) => (
                <td key={`t${i}`} class="number" title={one ? `${millis(one.usFrom)} to ${millis(one.usTo)}` : ""}>
                  {one && millis(one.us / one.programs)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Results({ run }: { run: ComparisonRun }) {
  const hidden = useSignal<readonly Algorithm[]>([]);
  const algorithms = ORDER.filter((name) => run.asked.algorithms.includes(name));
  const runs = comparable(run.runs, algorithms.length);
  if (runs.length === 0) return null;
  const sizes = [...new Set(runs.map(({ diamonds }) => diamonds))].sort((a, b) => a - b);
  const series = (what: string, of: (runs: NonNullable<ReturnType<typeof tally>>) => number, text: (mean: number) => string): Series[] =>
    algorithms
      .filter((name) => !hidden.value.includes(name))
      .map((name) => ({
        name,
        joined: true,
        shape: SHAPES[name],
        className: `alg-${name}`,
        marks: sizes.flatMap((x) => {
          const one = tally(runs, name, x);
          const mean = one ? of(one) / one.programs : 0;
          return mean > 0 ? [{ x, log: Math.log10(mean), title: `${name}, ${plural(x, "diamond")}: ${text(mean)}${what}` }] : [];
        }),
      }));
  const times = series(
    "",
    (one) => one.us / 1000,
    (ms) => millis(ms * 1000),
  );
  const queries = series(" queries", (one) => one.queries, number);
  const file = `algorithms-${sizes[0]}-to-${sizes.at(-1)}-diamonds`;
  return (
    <>
      <div class="wide-table" tabIndex={0} role="region" aria-label="All programs">
        <Totals runs={runs} algorithms={algorithms} />
      </div>
      <div class="toolbar lines" role="group" aria-label="Lines of the charts">
        {algorithms.map((name) => {
          const shown = !hidden.value.includes(name);
          return (
            <button
              key={name}
              type="button"
              class={`alg-${name}`}
              aria-pressed={shown}
              onClick={() => (hidden.value = shown ? [...hidden.value, name] : hidden.value.filter((other) => other !== name))}
            >
              {name}
            </button>
          );
        })}
        <span class="spring" />
        <button
          type="button"
          title="Every single run, as comma-separated values"
          onClick={() => download(new Blob([csvOf(run.runs)], { type: "text/csv" }), `${file}.csv`)}
        >
          CSV
        </button>
      </div>
      <div class="result charts">
        <LogChart title="Milliseconds a program (Figures 4, 5)" axis="diamonds" series={times} save={`${file}-time`} />
        <LogChart title="Queries a program (Figure 6)" axis="diamonds" series={queries} save={`${file}-queries`} />
      </div>
      <div class="wide-table" tabIndex={0} role="region" aria-label="Means by size">
        <BySize runs={runs} algorithms={algorithms} sizes={sizes} />
      </div>
      <p class="muted small">
        Queries are the same on every machine. Times are of this browser on this device, from the graph to the last answer, each run once:
        what the browser compiles meanwhile and other programs slow down is in them.
        {run.ms !== null && ` All together took ${duration(run.ms)}.`} <code>cargo bench --bench cover</code> measures the same natively.
      </p>
    </>
  );
}

export function Comparison() {
  const run = comparisonRun.value;
  const left = run?.state === "running" ? runsOf(run.asked) - run.runs.length : 0;
  return (
    <>
      <div class="pane-bar">
        <CoverViews />
      </div>
      <div class="top">
        {run && <RunState run={run} current unit="runs" again={() => void compareAll()} />}
        {!run && (
          <p class="muted">
            Covers random programs (rows of diamonds: choices between four ways, as in the paper's measurements) by each algorithm, and
            compares their queries and times.
          </p>
        )}
      </div>
      <div class="counts scroll comparison" tabIndex={0} role="region" aria-label="Algorithms compared" aria-busy={left > 0}>
        {run && <Results run={run} />}
      </div>
    </>
  );
}
