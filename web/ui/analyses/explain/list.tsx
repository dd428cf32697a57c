// Reasons, and the infeasible prefixes of each, as a list. There may be tens of thousands: only the rows in view are in the document.

import { computed, signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { whenIdle } from "../../browser/idle";
import { Term } from "../../parts/term";
import { current, narrow, projector } from "../../state/state";
import { grouped, plural, short } from "../../text/numbers";
import { asWritten, letter } from "./automaton";
import { explainPath } from "./session";
import { chosenRow, type ExplainRun, explainRun, type Group, groups, opened, part, type Row, rows } from "./state";

const SORTS = {
  found: { title: "as found", by: (a: Row, b: Row) => a.number - b.number },
  short: { title: "shortest first", by: (a: Row, b: Row) => a.edges.length - b.edges.length || a.number - b.number },
  covers: {
    title: "most paths first",
    by: (a: Row, b: Row) => compareCounts(b.paths, a.paths) || a.edges.length - b.edges.length || a.number - b.number,
  },
  small: {
    title: "smallest explanation first",
    by: (a: Row, b: Row) => a.explanation.length - b.explanation.length || a.edges.length - b.edges.length || a.number - b.number,
  },
} as const;
type Sort = keyof typeof SORTS;
const sort = signal<Sort>("covers");
const filter = signal("");

function compareCounts(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Constraints as they are written: very many rows have few different ones. */
const written = new Map<string, string>();
const WRITTEN_MAX = 10_000;

function writtenOf(condition: string, text: string): string {
  const key = `${condition}\n${text}`;
  let known = written.get(key);
  if (known === undefined) {
    if (written.size >= WRITTEN_MAX) written.clear();
    written.set(key, (known = asWritten(condition, text)));
  }
  return known;
}

/** The explanation of a row in a few words. */
export const reasonText = ({ explanation, conditions }: Row): string =>
  explanation.map((step, i) => (conditions ? writtenOf(conditions[i]!, step.text) : step.text)).join(", ");

const lettersOf = (row: Row): string => {
  const edges = explainRun.value?.cfg.edges ?? [];
  return row.explanation.map((step) => (edges[step.edge] ? letter(edges[step.edge]!) : "")).join(" ");
};

/** What a filter looks through in each row; of tens of thousands it is not put together with every key. */
const searched = new WeakMap<Row, string>();

function searchedOf(row: Row): string {
  let text = searched.get(row);
  if (text === undefined) {
    text = `${lettersOf(row)} ${reasonText(row)} ${row.explanation.map((step) => step.text).join(" ")}`.toLowerCase();
    searched.set(row, text);
  }
  return text;
}

/** Of so many rows at a time, in a few milliseconds. */
const SLICE = 1_000;

/** Puts them together before the first key, while nothing else is to be done. */
function searchAhead(all: readonly Row[], from = 0): void {
  if (rows.peek() !== all || from >= all.length) return;
  all.slice(from, from + SLICE).forEach(searchedOf);
  whenIdle(() => searchAhead(all, from + SLICE));
}

/** What the list shows: a reason, or a prefix of one that is open. */
type Item = { group: Group; open: boolean; row: null } | { group: Group; row: Row };

const isFiltered = computed(() => filter.value.trim() !== "");

/** The reasons with those of their rows that the filter leaves, as they are sorted. A filter opens them all. */
const shownGroups = computed((): Group[] => {
  const wanted = filter.value.trim().toLowerCase();
  // Regular expressions are of digits and small letters.
  const matches = (row: Row): boolean => searchedOf(row).includes(wanted) || (row.regex?.includes(wanted) ?? false);
  return groups.value.flatMap((group) => {
    const left = wanted ? group.rows.filter(matches) : group.rows;
    return left.length > 0 ? [{ ...group, rows: left }] : [];
  });
});

const items = computed((): Item[] => {
  const keys = new Set(opened.value);
  const { by } = SORTS[sort.value];
  return shownGroups.value.flatMap((group): Item[] => {
    const open = isFiltered.value || keys.has(group.key);
    const reason: Item = { group, open, row: null };
    return open ? [reason, ...[...group.rows].sort(by).map((row): Item => ({ group, row }))] : [reason];
  });
});

export function choose(row: Row): void {
  chosenRow.value = row.number;
  void explainPath(
    `Prefix ${row.number + 1}`,
    row.edges,
    row.explanation.map((step) => step.index),
  );
}

/** Shows the prefixes of a reason, or hides them. One that is opened is explained by its shortest prefix. */
function toggle(group: Group): void {
  // A filter shows them in any case.
  if (isFiltered.value) {
    choose(group.rows[0]!);
    return;
  }
  const isOpen = opened.value.includes(group.key);
  opened.value = isOpen ? opened.value.filter((key) => key !== group.key) : [...opened.value, group.key];
  if (!isOpen && !group.rows.some((row) => row.number === chosenRow.value)) choose(group.shortest);
}

/** Once there are rows, one of them is shown without being asked for. */
export function chooseFirst(): void {
  const first = groups.peek()[0];
  if (first && chosenRow.peek() === null) choose(first.shortest);
}

/** The steps of a reason as the program has them, each with its line. */
const inSource = ({ explanation }: Row): string =>
  explanation
    .map(
      ({ line, text, causes }) =>
        `${line}: ${text}${causes && causes.length > 0 ? `, as ${causes.map((cause) => `${cause.line}: ${cause.text}`).join(", ")}` : ""}`,
    )
    .join(" · ");

function mostPaths({ rows }: Group): string {
  const most = rows.reduce<string | null>((most, { paths }) => (paths !== null && compareCounts(paths, most) > 0 ? paths : most), null);
  return most === null ? "" : ` · up to ${short(most)} ${most === "1" ? "path" : "paths"} each`;
}

/** Rows beyond the view that are there too. */
const AROUND = 8;

function Rows({ run }: { run: ExplainRun }) {
  const host = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(400);
  const focused = useSignal(0);
  /** Set when a key moves: the row is focused once it is there. */
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    const { current: element } = host;
    if (!element) return;
    const watch = new ResizeObserver(() => (height.value = element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    host.current?.querySelector<HTMLElement>(`[data-at="${wanted.current}"]`)?.focus({ preventScroll: true });
    wanted.current = null;
  });
  const all = items.value;
  const size = projector.value ? 66 : narrow.value ? 56 : 46;
  const from = Math.max(0, Math.floor(top.value / size) - AROUND);
  const to = Math.min(all.length, Math.ceil((top.value + height.value) / size) + AROUND);
  const at = Math.min(focused.value, Math.max(0, all.length - 1));
  // The row that Tab visits is there, wherever the list was moved to.
  const shown = [
    ...(at < from ? [at] : []),
    ...Array.from({ length: to - from }, (_, i) => from + i),
    ...(at >= to && at < all.length ? [at] : []),
  ];
  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(1, Math.floor(height.value / size) - 1);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: all.length - 1 }[e.key];
    if (next === undefined) return;
    e.preventDefault();
    const now = Math.max(0, Math.min(all.length - 1, next));
    const element = host.current;
    if (element) {
      if (now * size < element.scrollTop) element.scrollTop = now * size;
      else if ((now + 1) * size > element.scrollTop + element.clientHeight) element.scrollTop = (now + 1) * size - element.clientHeight;
      top.value = element.scrollTop;
    }
    wanted.current = now;
    focused.value = now;
  };
  return (
    <div class="prefixes" ref={host} onScroll={(e) => (top.value = e.currentTarget.scrollTop)}>
      <ol style={{ height: `${all.length * size}px` }} onKeyDown={onKeyDown} aria-label="Reasons and their prefixes">
        {shown.map((index) => {
          const item = all[index]!;
          const place = {
            style: { top: `${index * size}px`, height: `${size}px` },
            "aria-setsize": all.length,
            "aria-posinset": index + 1,
          };
          const button = { type: "button", "data-at": index, tabIndex: index === at ? 0 : -1 } as const;
          if (item.row === null) {
            const { group, open } = item;
            const chosen = !open && group.rows.some((row) => row.number === chosenRow.value);
            return (
              <li key={group.key} {...place} class={chosen ? "reason chosen" : "reason"}>
                <button
                  {...button}
                  aria-expanded={open}
                  disabled={!current(run)}
                  onClick={() => {
                    focused.value = index;
                    toggle(group);
                  }}
                >
                  <span class="index">
                    <span aria-hidden="true">{open ? "▾" : "▸"}</span> {grouped(group.number + 1)}
                  </span>
                  <code class="why" title={inSource(group.shortest)}>
                    {inSource(group.shortest)}
                  </code>
                  <span class="size muted">
                    <b>{plural(group.prefixes, "prefix", "prefixes")}</b>
                    {mostPaths(group)}
                  </span>
                </button>
              </li>
            );
          }
          const { row } = item;
          const chosen = row.number === chosenRow.value;
          return (
            <li key={row.number} {...place} class={chosen ? "prefix chosen" : "prefix"}>
              <button
                {...button}
                aria-pressed={chosen}
                disabled={!current(run)}
                onClick={() => {
                  focused.value = index;
                  part.value = "why";
                  choose(row);
                }}
              >
                <span class="index">{grouped(row.number + 1)}</span>
                <code class="why">{reasonText(row)}</code>
                <span class="where muted">{lettersOf(row)}</span>
                <span class="size muted">
                  {plural(row.edges.length + 1, "instruction")}
                  {row.paths !== null && ` · ${short(row.paths)} ${row.paths === "1" ? "path" : "paths"}`}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

export function PrefixList({ run }: { run: ExplainRun }) {
  const all = rows.value.length;
  const left = shownGroups.value.reduce((sum, group) => sum + group.rows.length, 0);
  const reasons = plural(groups.value.length, "reason");
  useEffect(() => {
    if (!run.document || !current(run)) return;
    chooseFirst();
    const all = rows.peek();
    whenIdle(() => searchAhead(all));
  }, [run.document]);
  return (
    <section class="list-pane" aria-label="Infeasible prefixes">
      <div class="list-tools">
        <label class="sr-only" for="explain-sort">
          Order of the list
        </label>
        <select id="explain-sort" value={sort.value} onChange={(e) => (sort.value = e.currentTarget.value as Sort)}>
          {Object.entries(SORTS).map(([id, { title }]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <input
          type="text"
          aria-label="Filter"
          placeholder="Filter: 22t, x < 2"
          autocomplete="off"
          spellcheck={false}
          value={filter.value}
          onInput={(e) => (filter.value = e.currentTarget.value)}
        />
        <span class="muted" role="status">
          {all > 0 && (
            <>
              {isFiltered.value ? `${grouped(shownGroups.value.length)} of ${reasons}, ${grouped(left)} of ` : `${reasons}, `}
              <Term of="family">{plural(all, "family", "families")}</Term>
            </>
          )}
        </span>
      </div>
      {all > 0 ? (
        <Rows run={run} />
      ) : (
        <p class="muted none">
          {run.state === "running"
            ? "None found yet."
            : run.document?.complete
              ? "No prefix of so many instructions is infeasible."
              : "The search was stopped before it found one: whether there is one is open."}
        </p>
      )}
    </section>
  );
}
