// Lists of what was found, a row for each; the row that is chosen says more.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { StepBy } from "../state/stepping";
import { grouped } from "../text/numbers";

/** So many rows of a list are shown at first. */
const FIRST = 200;

export interface RowProps {
  at: number;
  className: string;
  where: string;
  sign: string;
  signName: string;
  text: ComponentChildren;
  size?: string;
  chosen: boolean;
  /** Whether it is of the program now shown. */
  usable: boolean;
  choose: () => void;
  /** What the chosen one says. */
  children: () => ComponentChildren;
}

export function Row({ at, className, where, sign, signName, text, size, chosen, usable, choose, children }: RowProps) {
  return (
    <li class={`${className}${chosen ? " chosen" : ""}`} data-at={at}>
      <button type="button" class="row" aria-pressed={chosen} disabled={!usable} onClick={choose}>
        <span class="index">{where}</span>
        <span class="verdict">
          <b aria-hidden="true">{sign}</b>
          <span class="sr-only"> {signName}</span>
        </span>
        <span class="evidence">{text}</span>
        {size && <span class="length">{size}</span>}
      </button>
      {chosen && <div class="about">{children()}</div>}
    </li>
  );
}

/** A list that shows its first rows; there may be thousands. */
export function Rows<T>({ label, all, row }: { label: string; all: readonly T[]; row: (item: T, index: number) => ComponentChildren }) {
  const shown = useSignal(FIRST);
  return (
    <>
      <ol class="drawn" aria-label={label}>
        {all.slice(0, shown.value).map(row)}
      </ol>
      {all.length > shown.value && (
        <p>
          <button type="button" onClick={() => (shown.value += 1_000)}>
            Show more
          </button>{" "}
          {grouped(all.length - shown.value)} not shown
        </p>
      )}
    </>
  );
}

/** A list under its heading. */
export function Section({
  kind,
  title,
  says,
  aside,
  children,
}: {
  kind: string;
  title: ComponentChildren;
  says: ComponentChildren;
  /** What can be done with the list. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={`kind ${kind}`} aria-labelledby={id}>
      {aside}
      <h2 id={id}>
        {title} <span class="muted">{says}</span>
      </h2>
      {children}
    </section>
  );
}

/** Scrolls the list to the chosen row or what is around it, once it is there: the tab may be shown for the first time. Rows above it get their
 * heights when they come into view, so a few times. */
export function showChosen(row: string, around = row, frames = 60, times = 6): void {
  requestAnimationFrame(() => {
    const there = document.querySelector(row)?.closest(around);
    const seen = there?.checkVisibility() ?? false;
    if (seen) there?.scrollIntoView(around === row ? { block: "nearest" } : undefined);
    if (seen ? times > 1 : frames > 0) showChosen(row, around, frames - 1, seen ? times - 1 : times);
  });
}

/** Chooses the next row of a pane, or the one before; whether there is one. */
export const stepRows =
  (pane: string): StepBy =>
  (by) => {
    const rows = [...document.querySelectorAll<HTMLElement>(`${pane} li > button.row`)].filter((row) => row.checkVisibility());
    const at = rows.findIndex((row) => row.parentElement?.classList.contains("chosen"));
    const next = rows[at < 0 && by < 0 ? -1 : at + by];
    next?.click();
    next?.scrollIntoView({ block: "nearest" });
    return next !== undefined;
  };
