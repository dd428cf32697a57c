// Paths drawn evenly from all complete ones, each with its verdict and the evidence for it.

import { computed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Assumes, resting } from "../../parts/assumes";
import { NumberField } from "../../parts/fields";
import { Icon } from "../../parts/icons";
import { RunControls, type Word } from "../../parts/run-controls";
import { RunState } from "../../parts/run-state";
import { Term } from "../../parts/term";
import { type CfgEdge, type DrawnPath, MAX_LENGTH } from "../../protocol";
import { change, current, selected, shownPath, stepBy } from "../../state/state";
import { inputText } from "../../text/inputs";
import { grouped, plural, short } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import { inWords } from "../prune/form";
import { graphSettings } from "../prune/session";
import { pruneChoice } from "../prune/settings";
import { drawing, drawPaths } from "./session";
import { DRAW_MAX, DRAWN_FROM, type DrawChoice, type DrawnFrom, drawChoice } from "./settings";
import { type DrawRun, drawn, drawRun } from "./state";

const KINDS = [
  { verdict: true, mark: "✓", word: "feasible", name: "yes" },
  { verdict: false, mark: "✕", word: "infeasible", name: "no" },
  { verdict: null, mark: "?", word: "open", name: "open" },
] as const;
const SOURCES: Record<DrawnFrom, string> = { all: "all paths of S", pruned: "paths of S′", feasible: "feasible paths" };
const kindOf = (path: DrawnPath): (typeof KINDS)[number] => KINDS.find((kind) => kind.verdict === path.feasible)!;

/** The edge at a step, as text. */
function stepText(edges: readonly CfgEdge[], path: DrawnPath, step: number): string {
  const edge = edges[path.edges[step] ?? -1];
  return `${edge?.label ?? "?"} (line ${path.lines[step] ?? "?"})`;
}

export function Evidence({ path, run }: { path: DrawnPath; run: Pick<DrawRun, "cfg"> }) {
  const { edges } = run.cfg;
  if (path.feasible === true) return <span class="evidence">{path.input ? inputText(path.input, run.cfg) : "replayed"}</span>;
  if (path.feasible === false && path.dies_at !== null) {
    return (
      <span class="evidence">
        dies at step {path.dies_at + 1} of {path.edges.length}: {stepText(edges, path, path.dies_at)}
      </span>
    );
  }
  return <span class="evidence">{path.open ?? "not settled"}</span>;
}

export function Core({ path, run, tab }: { path: DrawnPath; run: Pick<DrawRun, "cfg">; tab: string }) {
  const own = shownPath.in(tab);
  const shown = own.value;
  if (path.feasible !== false || path.core.length === 0 || !shown) return null;
  return (
    <div class="core">
      <p>No input passes all of these:</p>
      <ol>
        {path.core.map((step) => (
          <li key={step}>
            <button
              type="button"
              class="link"
              aria-current={shown.step === step ? "step" : undefined}
              onClick={() => (own.value = { ...shown, step })}
            >
              step {step + 1}
            </button>{" "}
            <code>{stepText(run.cfg.edges, path, step)}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}

const own = shownPath.in("paths");
const chosenIndex = computed(() => (own.value?.of === drawn ? own.value.index : null));

/** Rows of an earlier text cannot be chosen. One attribute for all of them: the first key press after a thousand paths
 * were drawn is not to change a thousand rows. */
function Usable({ run, children }: { run: DrawRun; children: ComponentChildren }) {
  return (
    <fieldset class="plain" disabled={!current(run)}>
      {children}
    </fieldset>
  );
}

/** In a list of paths: up and down move between them, left and right along the one in view. */
export function rowKeys(e: KeyboardEvent): void {
  if (e.ctrlKey || e.metaKey || e.altKey || !(e.currentTarget instanceof Element)) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  const row = { ArrowUp: -1, ArrowDown: 1 }[e.key];
  if (step !== undefined && stepBy(step)) e.preventDefault();
  if (row === undefined) return;
  const rows = [...e.currentTarget.querySelectorAll<HTMLElement>("button.row:enabled")];
  const at = rows.indexOf(e.target as HTMLElement);
  if (at < 0) return;
  rows[at + row]?.focus();
  e.preventDefault();
}

function Drawn({ run }: { run: DrawRun }) {
  return (
    <Usable run={run}>
      <ol class="drawn" onKeyDown={rowKeys}>
        {run.paths.map((path, index) => {
          if (!path) return null;
          const kind = kindOf(path);
          const chosen = chosenIndex.value === index;
          const choose = (): void => {
            selected.in("paths").value = null;
            own.value = chosen ? null : { of: drawn, index, step: path.dies_at ?? 0 };
          };
          return (
            <li key={index} class={`${kind.name}${chosen ? " chosen" : ""}`}>
              <button type="button" class="row" aria-pressed={chosen} onClick={choose}>
                <span class="index">{index + 1}</span>
                <span class="verdict">
                  <b aria-hidden="true">{kind.mark}</b> {kind.word}
                </span>
                <Evidence path={path} run={run} />
                <span class="length">{resting(path.assumes) ?? plural(path.edges.length, "edge")}</span>
              </button>
              {chosen && (
                <>
                  <Assumes all={run.document?.assumptions} ids={path.assumes} />
                  <Core path={path} run={run} tab="paths" />
                </>
              )}
            </li>
          );
        })}
      </ol>
    </Usable>
  );
}

function Summary({ run }: { run: DrawRun }) {
  const paths = run.paths.filter((path) => path !== undefined);
  const of =
    run.population === null
      ? ""
      : ` from ${short(run.population)} ${SOURCES[run.from].replace("all ", "")} of length at most ${grouped(run.asked.length)}`;
  if (run.state === "done" && paths.length === 0) {
    return (
      <p>
        There is no {run.from === "feasible" && run.population !== "0" ? "feasible path among those tried" : "complete path"} of length at
        most {grouped(run.asked.length)}.
      </p>
    );
  }
  const counts = KINDS.map((kind) => ({ ...kind, n: paths.filter((path) => path.feasible === kind.verdict).length })).filter(
    ({ n }) => n > 0,
  );
  return (
    <p class="summary">
      {plural(paths.length, "path")} drawn{of}
      {counts.map(({ mark, word, n, name }) => (
        <span key={name} class={`badge ${name}`}>
          <b aria-hidden="true">{mark}</b> {grouped(n)} {word}
        </span>
      ))}
      {run.document && run.document.assumes.length > 0 && <span class="muted">{resting(run.document.assumes)}</span>}
      <EvidenceLink name={`Drawn paths of ${run.cfg.function}`} evidence={run.evidence} />
    </p>
  );
}

function words({ length, count, seed, from }: DrawChoice): Word[] {
  const usual = drawChoice.defaults;
  return [
    { text: `${plural(count, "path")} of length at most ${grouped(length)}`, changed: length !== usual.length || count !== usual.count },
    ...(seed === usual.seed ? [] : [{ text: `seed ${seed}`, changed: true }]),
    { text: `from ${SOURCES[from]}`, changed: from !== usual.from },
  ];
}

const unpruned = (): boolean => drawChoice.value.from === "pruned" && typeof graphSettings() === "string";

export function DrawControls() {
  const draw = drawChoice.value;
  const bad = useSignal<readonly string[]>([]);
  const set = (part: Partial<typeof draw>): void => drawChoice.change(part);
  const fields = (go: () => void) => {
    const field = (name: "length" | "count" | "seed", label: string, low: number, high: number) => (
      <NumberField
        label={label}
        value={draw[name]}
        low={low}
        high={high}
        onEnter={go}
        onChange={(value) => {
          bad.value = [...bad.value.filter((other) => other !== name), ...(value === null ? [name] : [])];
          if (value !== null) set({ [name]: value });
        }}
      />
    );
    return (
      <>
        {field("length", "Length at most", 0, MAX_LENGTH)}
        {field("count", "Number", 1, DRAW_MAX)}
        <span class="joined">
          {field("seed", "Seed", 0, Number.MAX_SAFE_INTEGER)}
          <button
            type="button"
            title="Another seed"
            aria-label="Another seed"
            onClick={() => set({ seed: Math.floor(Math.random() * 1e6) })}
          >
            <Icon name="again" />
          </button>
        </span>
        <span class="field">
          <label for="draw-from">From</label>
          <select
            id="draw-from"
            value={draw.from}
            onChange={(e) => set({ from: DRAWN_FROM.find((name) => name === e.currentTarget.value) ?? "all" })}
          >
            {DRAWN_FROM.map((name) => (
              <option key={name} value={name}>
                {SOURCES[name]}
              </option>
            ))}
          </select>
        </span>
        <FromPruned />
      </>
    );
  };
  const ready = bad.value.length === 0 && !unpruned();
  return (
    <RunControls
      busy={drawRun.value?.state === "running"}
      tasks={[drawing]}
      ready={ready}
      words={words(draw)}
      reset={() => set(drawChoice.defaults)}
      start={() => void drawPaths()}
      fields={fields}
    />
  );
}

/** How S′ is made from which paths are drawn. */
function FromPruned() {
  if (drawChoice.value.from !== "pruned") return null;
  return (
    <p class={unpruned() ? "mark bad" : "muted small"}>
      {unpruned() ? (
        "The settings of S′ are not in order. "
      ) : (
        <>
          <Term of="S′" /> is made as the Prune tab says: {inWords(pruneChoice.value)}.{" "}
        </>
      )}
      <button type="button" class="link" onClick={() => change({ tab: "prune" })}>
        Change them in the Prune tab
      </button>
    </p>
  );
}

export function Draw() {
  const run = drawRun.value;
  return (
    <section aria-label="Drawn paths" aria-busy={run?.state === "running"}>
      {run ? (
        <>
          <RunState run={run} current={current(run)} again={() => void drawPaths()} />
          {(run.state === "done" || run.paths.length > 0) && <Summary run={run} />}
          <Drawn run={run} />
        </>
      ) : (
        <p class="muted">
          Every path there is to draw from, up to the length, is equally likely. Run draws them. Choose one to see it in the graph and in
          the program; ← and → walk along it.
        </p>
      )}
    </section>
  );
}
