// The heads of a list's columns: pressed, they sort it.

import type { Signal } from "@preact/signals";

/** A column, and whether the greatest comes first. */
export interface Order<Column extends string> {
  by: Column;
  down: boolean;
}

type Cell = string | number | null;

/** Rows in an order; those that are equal stay in theirs, and those without a value come last. */
export function sorted<Column extends string, Row extends Record<Column, Cell>>(
  rows: readonly Row[],
  order: Order<Column> | null,
): readonly Row[] {
  if (!order) return rows;
  const { by, down } = order;
  const compare = (a: Cell, b: Cell): number =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
  return rows.toSorted(({ [by]: a }, { [by]: b }) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b) * (down ? -1 : 1),
  );
}

export function SortBy<Column extends string>({ columns, order }: { columns: readonly Column[]; order: Signal<Order<Column> | null> }) {
  return (
    <div class="sort-by" role="group" aria-label="Sort by">
      {columns.map((by) => {
        const now = order.value?.by === by ? order.value : null;
        return (
          <button
            key={by}
            type="button"
            class="link"
            aria-pressed={now !== null}
            onClick={() => (order.value = now?.down ? null : { by, down: now !== null })}
          >
            {by[0]!.toUpperCase() + by.slice(1)}
            <span aria-hidden="true">{now ? (now.down ? " ▾" : " ▴") : ""}</span>
            {now && <span class="sr-only">{now.down ? ", descending" : ", ascending"}</span>}
          </button>
        );
      })}
    </div>
  );
}
