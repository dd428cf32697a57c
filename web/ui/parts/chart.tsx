// P(l) and FP(l) by length, counts on a logarithmic scale: own SVG, its numbers are those of the table beside it.

import { useId } from "preact/hooks";
import { grouped, log10, power, short } from "../text/numbers";

const LEFT = 56;
const RIGHT = 72;
const TOP = 14;
const BOTTOM = 40;

/** A row of counts by length; `pruned` where a transformed graph is compared. */
export interface ChartRow {
  length: number;
  total: string;
  pruned?: string;
  feasible: string | null;
}

interface Mark {
  x: number;
  y: number;
  title: string;
}

/** Whole powers of ten, six at most. */
function ticks(top: number): number[] {
  const step = Math.max(1, Math.ceil(top / 6));
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}

/** A small one is drawn on less ground, so that its letters are no smaller. */
export function Chart({
  rows,
  feasible,
  small = false,
  kept: keptAs = { symbol: "P′", name: "in S′", about: "in the transformed graph" },
}: {
  rows: readonly ChartRow[];
  feasible: boolean;
  small?: boolean;
  /** What `pruned` counts: at its points, at its line, in a sentence. */
  kept?: { symbol: string; name: string; about: string };
}) {
  const width = small ? 250 : 370;
  const height = small ? 185 : 250;
  const id = useId();
  const lengths = rows.map((row) => row.length);
  const first = Math.min(...lengths);
  const last = Math.max(...lengths);
  const top = Math.max(1, ...rows.map((row) => Math.ceil(log10(row.total) + 1e-9)).filter(Number.isFinite));
  // Zero has no logarithm: it gets a line of its own below 1.
  const zero = rows.some((row) => [row.total, row.pruned, row.feasible].includes("0"));
  const ground = height - BOTTOM - (zero ? 22 : 0);
  const x = (length: number): number => LEFT + ((length - first) / (last - first || 1)) * (width - LEFT - RIGHT);
  const y = (digits: string): number => (digits === "0" ? height - BOTTOM : ground - (log10(digits) / top) * (ground - TOP));
  const series = (name: string, of: (row: ChartRow) => string | null): Mark[] =>
    rows.flatMap((row) => {
      const digits = of(row);
      return digits === null ? [] : [{ x: x(row.length), y: y(digits), title: `${name}(${row.length}) = ${grouped(digits)}` }];
    });
  const all = series("P", (row) => row.total);
  const kept = series(keptAs.symbol, (row) => row.pruned ?? null);
  const able = feasible ? series("FP", (row) => row.feasible) : [];
  const line = (marks: readonly Mark[]): string => marks.map((m, i) => `${i ? "L" : "M"}${m.x.toFixed(1)} ${m.y.toFixed(1)}`).join("");
  const endAll = all[all.length - 1];
  const endAble = able[able.length - 1];
  const endKept = kept[kept.length - 1];
  // The names stand at the ends of their lines, moved apart where these meet.
  const close = endAll && (endKept ?? endAble) && Math.abs(endAll.y - (endKept ?? endAble)!.y) < 16;
  const closeBelow = endKept && endAble && Math.abs(endKept.y - endAble.y) < 16;
  const about = rows
    .map(
      (row) =>
        `length ${row.length}: ${short(row.total)} paths${row.pruned !== undefined ? `, ${short(row.pruned)} ${keptAs.about}` : ""}${row.feasible !== null ? `, ${short(row.feasible)} feasible` : ""}`,
    )
    .join("; ");
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}-t ${id}-d`}>
        <title id={`${id}-t`}>Number of complete paths by length, logarithmic scale</title>
        <desc id={`${id}-d`}>{about}</desc>
        {ticks(top).map((exponent) => {
          const at = ground - (exponent / top) * (ground - TOP);
          return (
            <g key={exponent} class="tick">
              <line x1={LEFT} x2={width - RIGHT} y1={at} y2={at} />
              <text x={LEFT - 8} y={at + 4} text-anchor="end">
                {power(exponent)}
              </text>
            </g>
          );
        })}
        {zero && (
          <g class="tick">
            <line x1={LEFT} x2={width - RIGHT} y1={height - BOTTOM} y2={height - BOTTOM} stroke-dasharray="2 4" />
            <text x={LEFT - 8} y={height - BOTTOM + 4} text-anchor="end">
              0
            </text>
          </g>
        )}
        {xTicks(lengths, x).map((length) => (
          <text key={length} class="axis" x={x(length)} y={height - BOTTOM + 18} text-anchor="middle">
            {grouped(length)}
          </text>
        ))}
        <text class="axis" x={(LEFT + width - RIGHT) / 2} y={height - 6} text-anchor="middle">
          length at most
        </text>
        <g class="series all">
          <path d={line(all)} />
          {all.map((m) => (
            <rect key={m.x} x={m.x - 4} y={m.y - 4} width="8" height="8">
              <title>{m.title}</title>
            </rect>
          ))}
          {endAll && (
            <text x={endAll.x + 10} y={endAll.y + (close ? -4 : 4)}>
              all paths
            </text>
          )}
        </g>
        {able.length > 0 && (
          <g class="series able">
            <path d={line(able)} />
            {able.map((m) => (
              <circle key={m.x} cx={m.x} cy={m.y} r={kept.length > 0 ? 6.5 : 4.5}>
                <title>{m.title}</title>
              </circle>
            ))}
            {endAble && (
              <text x={endAble.x + 10} y={endAble.y + (closeBelow || (close && !endKept) ? 13 : 4) + (close && closeBelow ? 9 : 0)}>
                feasible
              </text>
            )}
          </g>
        )}
        {kept.length > 0 && (
          <g class="series kept">
            <path d={line(kept)} />
            {kept.map((m) => (
              <path key={m.x} class="diamond" d={`M${m.x} ${m.y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z`}>
                <title>{m.title}</title>
              </path>
            ))}
            {endKept && (
              <text x={endKept.x + 10} y={endKept.y + (closeBelow ? -4 : 4) + (close ? 9 : 0)}>
                {keptAs.name}
              </text>
            )}
          </g>
        )}
      </svg>
    </figure>
  );
}

/** The lengths that can be written below the axis without touching. */
function xTicks(lengths: readonly number[], x: (length: number) => number): number[] {
  const shown: number[] = [];
  for (const length of [...lengths].reverse()) {
    const next = shown[shown.length - 1];
    if (next === undefined || x(next) - x(length) > 34) shown.push(length);
  }
  return shown;
}
