// Numbers of paths by length, as a table: what the Paths and the Prune tab have in common.

import type { ComponentChildren } from "preact";
import type { FeasibleBy } from "../protocol";
import { grouped, short } from "../text/numbers";

/** Copies tables with the numbers in full, not shortened. */
function copyInFull(e: ClipboardEvent): void {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !e.clipboardData) return;
  const part = selection.getRangeAt(0).cloneContents();
  const rows = [...part.querySelectorAll("tr")];
  if (rows.length === 0) return;
  const text = rows
    .map((row) =>
      [...row.children].map((cell) => cell.querySelector<HTMLElement>("[data-full]")?.dataset.full ?? cell.textContent).join("\t"),
    )
    .join("\n");
  e.clipboardData.setData("text/plain", text);
  e.preventDefault();
}

/** A count of any size; shortened ones say their full value, and a click copies it. */
export function Count({ digits }: { digits: string }) {
  const text = short(digits);
  if (text === grouped(digits)) return <span data-full={digits}>{text}</span>;
  return (
    <button
      type="button"
      class="link count"
      data-full={digits}
      title={`${digits}\nClick to copy all ${digits.length} digits`}
      onClick={() => void navigator.clipboard?.writeText(digits)}
    >
      {text}
    </button>
  );
}

/** FP(l) of a finished run: the number, or what is known of it. */
export function Feasible({ row }: { row: { feasible: string | null; feasible_at_least: string | null } }) {
  if (row.feasible !== null) return <Count digits={row.feasible} />;
  return (
    <span class="open">
      ?{" "}
      {row.feasible_at_least !== null && row.feasible_at_least !== "0" ? (
        <>
          at least <Count digits={row.feasible_at_least} />
        </>
      ) : (
        "open"
      )}
    </span>
  );
}

export interface Column<R> {
  title: ComponentChildren;
  cell: (row: R) => ComponentChildren;
}

interface Props<R> {
  /** The function whose paths are counted. */
  of: string;
  rows: readonly R[];
  columns: readonly Column<R>[];
  className?: string;
}

/** What feasible counts rest on. */
export function basis(by: FeasibleBy | null): string {
  switch (by) {
    case "paths":
      return "Each feasible path was replayed with an input, each infeasible one has a checked proof.";
    case "induction":
      return "Feasible paths were merged and counted: an induction, with a checked proof for each step, shows that these are all and no others.";
    case "projection":
      return "Feasible paths were merged and counted; that merged ones go on alike rests on projections, which have no evidence of their own.";
    case null:
      return "";
  }
}

/** A table with the length in front. */
export function CountTable<R extends { length: number }>({ of, rows, columns, className = "" }: Props<R>) {
  return (
    <table class={`paths ${className}`.trimEnd()} onCopy={copyInFull}>
      <caption>
        Complete paths of <code>{of}</code> by length
      </caption>
      <thead>
        <tr>
          <th scope="col" class="number">
            Length{" "}
            <span class="whole">
              ≤ <i>l</i>
            </span>
          </th>
          {columns.map(({ title }, i) => (
            <th key={i} scope="col" class="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.length}>
            <th scope="row" class="number">
              {grouped(row.length)}
            </th>
            {columns.map(({ cell }, i) => (
              <td key={i} class="number">
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
