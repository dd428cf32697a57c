// The Check tab: evidence files of the runs above or from elsewhere, checked anew claim by claim, without the solver.

import { useSignal } from "@preact/signals";
import { download } from "../../browser/download";
import { forTarget } from "../../editor/files";
import { claimPath, type ShownClaim } from "../../engine/evidence";
import { Assumes, resting } from "../../parts/assumes";
import { RunState } from "../../parts/run-state";
import { type Order, SortBy, sorted } from "../../parts/sort-by";
import type { CheckedClaim, CheckedKind, DrawnPath, Rejected } from "../../protocol";
import { known, programWanted, refused, selected, settings, shownPath, sourceOf, text } from "../../state/state";
import { inputText } from "../../text/inputs";
import { duration, grouped, plural } from "../../text/numbers";
import type { Analysis } from "../analysis";
import { Core, Evidence, rowKeys } from "../paths/draw";
import { checkEvidence } from "./session";
import { type CheckRun, checkMatches, checkRun, claims, isUnfolded } from "./state";

/** What an accepted claim of a kind stands for. */
const KINDS: Record<string, { word: string; how: string; mark: string; name: string }> = {
  reached: { word: "feasible", how: "replayed", mark: "✓", name: "yes" },
  infeasible: { word: "infeasible", how: "certificate accepted", mark: "✕", name: "no" },
  family: { word: "infeasible family", how: "certificate and annotations accepted", mark: "✕", name: "no" },
  not_covered: { word: "not covered", how: "certificate accepted", mark: "✕", name: "no" },
  defined: { word: "defined", how: "no undefined edge is taken, every certificate accepted", mark: "✓", name: "yes" },
  excluded: { word: "excluded by an invariant", how: "every certificate accepted", mark: "✕", name: "no" },
  within_bound: { word: "within the bound", how: "ways out of it found anew, certificates accepted", mark: "✓", name: "yes" },
  dead_ends: { word: "without a way to the exit", how: "searched anew", mark: "✕", name: "no" },
  determined: { word: "not taken by the one run", how: "run anew: the program reads no input", mark: "✕", name: "no" },
  pruned: { word: "pruned graph", how: "every certificate accepted", mark: "✓", name: "yes" },
};
const kindOf = (claim: string): (typeof KINDS)[string] => KINDS[claim] ?? { word: claim, how: "accepted", mark: "✓", name: "yes" };

/** An evidence file that is at hand. */
function Source({ name, file, saveAs }: { name: string; file: Blob; saveAs?: string }) {
  return (
    <li>
      <span class="name">{name}</span>
      <button type="button" class="primary" onClick={() => void checkEvidence(name, file)}>
        Check
      </button>
      {saveAs && (
        <button type="button" onClick={() => download(file, saveAs)}>
          Save the file
        </button>
      )}
    </li>
  );
}

/** What a person can do to get evidence: `count feasible paths or draw some under Paths, …`. */
const waysTo = (others: readonly Analysis[]): string =>
  others
    .flatMap(({ title, tasks = [] }) => {
      const ways = tasks.flatMap(({ evidence }) => evidence?.how ?? []);
      return ways.length > 0 ? [`${ways.join(" or ")} under ${title}`] : [];
    })
    .join(", ");

function Sources({ others, last: checked }: { others: readonly Analysis[]; last: CheckRun | null }) {
  const found = others
    .flatMap(({ tasks = [] }) => tasks)
    .flatMap(({ run, evidence }) => {
      const { cfg, evidence: file } = run.value ?? {};
      return evidence && file
        ? [{ file, name: `${evidence.title} of ${cfg.function}`, saveAs: `${cfg.program}-${cfg.function}-${evidence.file}.json` }]
        : [];
    });
  const foreign = checked && found.every(({ file }) => checked.input !== file) ? checked : null;
  return (
    <>
      <ul class="sources">
        {found.map((one) => (
          <Source key={one.saveAs} {...one} />
        ))}
        {foreign && <Source name={foreign.name} file={foreign.input} />}
      </ul>
      {found.length === 0 && others.length > 0 && (
        <p class="muted">
          There is no evidence yet: {waysTo(others)}, or open a file that was saved here or written by <code>culdesac --evidence</code>.
        </p>
      )}
      <p class="sources">
        <OpenFile /> <span class="muted">or drop one here</span>
      </p>
    </>
  );
}

function OpenFile() {
  return (
    <label class="button open-file">
      Open an evidence file…
      <input
        type="file"
        accept=".json,application/json"
        class="sr-only"
        onChange={(e) => {
          const file = e.currentTarget.files?.[0];
          // Emptied, so that the same file can be chosen again after it was changed.
          e.currentTarget.value = "";
          if (file) void checkEvidence(file.name, file);
        }}
      />
    </label>
  );
}

function Verdict({ run }: { run: CheckRun }) {
  const { document } = run;
  if (!document) return null;
  const { checked, kinds } = document;
  const rejected = kinds.reduce((sum, kind) => sum + kind.rejected, 0);
  const accepted = (kind: CheckedKind) => {
    const { word, how } = kindOf(kind.claim);
    // An infeasible path is no failure here: what counts is that the claim holds.
    return (
      kind.accepted > 0 && (
        <span key={kind.claim} class="badge yes">
          <b aria-hidden="true">✓</b> {grouped(kind.accepted)} {word}, {how}
        </span>
      )
    );
  };
  return (
    <p class="summary" role="status">
      {document.rejected.length === 0 ? (
        <b>
          {checked === 0
            ? "The file makes no claims."
            : `✓ ${checked === 1 ? "The only claim holds" : `All ${grouped(checked)} claims hold`}.`}
        </b>
      ) : (
        <b class="dies">{checked === 0 ? "✕ The file was rejected." : `✕ ${grouped(rejected)} of ${plural(checked, "claim")} rejected.`}</b>
      )}
      {kinds.map(accepted)}
      {run.ms !== null && <span class="muted small">{duration(run.ms)}</span>}
    </p>
  );
}

function About({ run }: { run: CheckRun }) {
  const { file } = run;
  if (!file) return null;
  if (checkMatches.value) return <p class="muted small">Choose a claim to see its path in the graph and in the program.</p>;
  if (isUnfolded.value)
    return (
      <p class="muted small">
        The claims are about the unfolded graph of <code>{file.function}</code>, in which evaluations or paths have edges of their own.
      </p>
    );
  return (
    <p class="muted">
      The claims are about <code>{file.function}</code> of {file.program}, which is not what is shown.{" "}
      <button type="button" class="link" onClick={() => (programWanted.value = file)}>
        Open its program
      </button>
    </p>
  );
}

/** A claim with what its row says. */
interface ClaimRow {
  claim: ShownClaim;
  rejected: Rejected | undefined;
  path: DrawnPath | null;
  line: number | null;
  branch: string;
  reason: string;
  status: string;
}

/** So many branches of a claim are named. */
const NAMED = 4;

/** What a claim is about: the branches that no execution takes, or a path to its last edge. */
function rowOf(claim: ShownClaim, rejected: Rejected | undefined, said: readonly CheckedClaim[], others: readonly Analysis[]): ClaimRow {
  const now = checkMatches.value ? known.value : null;
  const path = now && claimPath(claim, rejected, now.cfg);
  const kind = kindOf(claim.kind);
  // The numbers of undefined edges are those of another graph.
  const isOther = claim.kind === "defined";
  const own = isOther ? said.filter(({ id }) => id === claim.id) : [];
  const edges = now && !isOther ? claim.edges.flatMap((number) => now.cfg.edges[number] ?? []) : [];
  const sides = edges.filter(({ holds }) => holds !== null);
  const about = sides.length > 0 ? sides : edges;
  const last = now && path ? now.cfg.edges[path.edges.at(-1)!] : undefined;
  const labels = [...new Set([...about.map(({ label }) => label), ...own.map(({ text }) => text)])];
  const why = about.flatMap(({ id }) => others.flatMap(({ reasonOf }) => reasonOf?.(id) ?? []))[0];
  return {
    claim,
    rejected,
    path,
    line: (about[0] ?? last ?? own[0])?.line ?? null,
    branch: labels.length > 0 ? labels.slice(0, NAMED).join(", ") + (labels.length > NAMED ? ", …" : "") : (last?.label ?? ""),
    reason: rejected
      ? `${claim.id}, said to be ${kind.word}: ${rejected.reason}`
      : (why ?? (claim.input ? inputText(claim.input, now?.cfg) : kind.how)),
    status: rejected ? "rejected" : kind.word,
  };
}

function Claim({ of: { claim, rejected, path, line, branch, reason } }: { of: ClaimRow }) {
  const now = known.value;
  const own = shownPath.in("check");
  const chosen = own.value?.of === claims && own.value.index === claim.index;
  const kind = kindOf(claim.kind);
  const look = rejected ? { mark: "✕", word: "rejected", name: "rejected" } : kind;
  const choose = (): void => {
    selected.in("check").value = null;
    own.value = chosen ? null : { of: claims, index: claim.index, step: path?.dies_at ?? 0 };
  };
  return (
    <li class={`${look.name}${chosen ? " chosen" : ""}`}>
      <button type="button" class="row" aria-pressed={chosen} disabled={!path} title={`Claim ${claim.id}`} onClick={choose}>
        <span class="index">{line ?? "–"}</span>
        <span class="branch">
          <code>{branch}</code>
        </span>
        {!rejected && path && now ? <Evidence path={path} run={now} /> : <span class="evidence">{reason}</span>}
        <span class="verdict">
          <b aria-hidden="true">{look.mark}</b> {look.word}
          <span class="length">{resting(claim.assumes) ?? (claim.path && plural(claim.path.length, "edge"))}</span>
        </span>
      </button>
      {chosen && path && now && (
        <>
          <Assumes all={now.cfg.assumptions} ids={path.assumes} />
          <Core path={path} run={now} tab="check" />
        </>
      )}
    </li>
  );
}

/** The columns by which claims can be sorted. */
const COLUMNS = ["line", "branch", "reason", "status"] as const;

/** While the check runs only what was rejected is known. */
function Claims({ run, others }: { run: CheckRun; others: readonly Analysis[] }) {
  const order = useSignal<Order<(typeof COLUMNS)[number]> | null>(null);
  const rejected = new Map(run.rejected.map((other) => [other.index, other]));
  const listed = run.file?.claims ?? [];
  const rows = listed.map((claim) => rowOf(claim, rejected.get(claim.index), run.document?.claims ?? [], others));
  const unlisted = run.rejected.filter(({ index }) => !listed.some((claim) => claim.index === index));
  return (
    <>
      {unlisted.length > 0 && (
        <ul class="reasons">
          {unlisted.map(({ id, reason }, i) => (
            <li key={i}>
              <b class="dies">✕ {id}</b> {reason}
            </li>
          ))}
        </ul>
      )}
      {listed.length > 0 && (
        <>
          <SortBy columns={COLUMNS} order={order} />
          <ol class="drawn claims" aria-label="Claims" onKeyDown={rowKeys}>
            {sorted(rows, order.value).map((row) => (
              <Claim key={row.claim.index} of={row} />
            ))}
          </ol>
        </>
      )}
      {run.document && run.document.checked > listed.length && (
        <p class="muted small">
          {grouped(listed.length)} of {plural(run.document.checked, "claim")} are listed, the rejected ones first.
        </p>
      )}
    </>
  );
}

/** The pane, over the analyses whose evidence can be checked. */
export const viewOver = (others: readonly Analysis[]) =>
  function View() {
    const over = useSignal(false);
    const last = checkRun.value;
    // While the program is refused nothing of it is shown as it was before, but for files from elsewhere.
    const run =
      refused.value && last?.file?.source === forTarget(sourceOf(known.value?.text ?? text.value), settings.value.target) ? null : last;
    const busy = run?.state === "running";
    const onDrag = (e: DragEvent, on: boolean): void => {
      if (!e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      over.value = on;
    };
    const onDrop = (e: DragEvent): void => {
      onDrag(e, false);
      const file = e.dataTransfer?.files[0];
      if (file) void checkEvidence(file.name, file);
    };
    return (
      <div
        class={`pane picture paths-pane check-pane takes-files scroll${over.value ? " over" : ""}`}
        tabIndex={0}
        role="region"
        aria-label="Check"
        onDragOver={(e) => onDrag(e, true)}
        onDragLeave={(e) => onDrag(e, false)}
        onDrop={onDrop}
      >
        <section aria-labelledby="check-title" aria-busy={busy}>
          <h2 id="check-title">Check the evidence</h2>
          <p class="muted">
            From the program's text on, one claim at a time: a feasible path is replayed with its input; the conditions of an infeasible one
            are derived anew, and its certificate is checked against them. The solver takes no part.
          </p>
          <Sources others={refused.value ? [] : others} last={run} />
          {!refused.value && (
            <p class="sources">
              {others.map(
                ({ id, savePage }) =>
                  savePage && (
                    <button key={id} type="button" title="The report as one page of HTML, with reasons" onClick={() => void savePage()}>
                      Reviewer’s page
                    </button>
                  ),
              )}
            </p>
          )}
          {run && (
            <section aria-label={`Check of ${run.name}`}>
              <h2>{run.name}</h2>
              <RunState run={run} current={true} again={() => void checkEvidence(run.name, run.input)} unit="claims" />
              <Verdict run={run} />
              <About run={run} />
              <Claims run={run} others={others} />
            </section>
          )}
        </section>
      </div>
    );
  };
