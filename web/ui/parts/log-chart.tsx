// Points or lines over whole numbers, heights on a logarithmic scale.

import { useId, useRef } from "preact/hooks";
import { type Exported, saveSvg } from "../graph/export";
import { grouped, power } from "../text/numbers";

export interface LogMark {
  x: number;
  /** The decimal logarithm of what is shown. */
  log: number;
  title: string;
}

/** What marks look like, so that none is told apart by its colour alone. */
export type Shape = "circle" | "square" | "diamond" | "up" | "down";

export interface Series {
  marks: readonly LogMark[];
  /** Whether a line joins the points. */
  joined?: boolean;
  /** Written at its last point. */
  name?: string;
  /** The class that colours it. */
  className?: string;
  shape?: Shape;
}

interface Props {
  title: string;
  axis: string;
  series: readonly Series[];
  /** A level that is drawn across, and what is written at it. */
  level?: { log: number; name: string };
  /** What the file is called that the chart is saved as; without it there is no button. */
  save?: string;
}

const LEFT = 60;
const RIGHT = 20;
/** With names at the ends of the lines. */
const RIGHT_NAMED = 58;
const TOP = 14;
const BOTTOM = 42;
const WIDTH = 370;
const HEIGHT = 250;
/** Names stand at least so far apart. */
const NAME_HEIGHT = 13;

const SHAPES: Record<Exclude<Shape, "circle">, string> = {
  square: "m-3.4 -3.4h6.8v6.8h-6.8z",
  diamond: "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z",
  up: "m0 -4.6l4.4 7.8h-8.8z",
  down: "m0 4.6l4.4 -7.8h-8.8z",
};

/** About five round numbers from `low` to `high`; of few numbers all. */
export function roundNumbers(low: number, high: number): number[] {
  const rough = high - low < 10 ? 1 : (high - low) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough) ?? rough);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) ticks.push(at);
  return ticks;
}

/** Where names stand whose lines end at these heights: as near as can be, and apart. */
export function spread(heights: readonly number[], apart: number, lowest: number): number[] {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a]! - heights[b]!);
  const placed = heights.slice();
  order.forEach((i, at) => at > 0 && (placed[i] = Math.max(placed[i]!, placed[order[at - 1]!]! + apart)));
  let limit = lowest;
  for (const i of order.reverse()) {
    placed[i] = Math.min(placed[i]!, limit);
    limit = placed[i]! - apart;
  }
  return placed;
}

export function LogChart({ title, axis, series, level, save }: Props) {
  const id = useId();
  const svg = useRef<SVGSVGElement>(null);
  const all = series.flatMap(({ marks }) => marks);
  const xs = all.map((mark) => mark.x);
  const logs = [...all.map((mark) => mark.log), ...(level ? [level.log] : [])].filter(Number.isFinite);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(0, Math.floor(Math.min(0, ...logs))), Math.max(1, Math.ceil(Math.max(0, ...logs)))];
  const right = series.some(({ name }) => name) ? RIGHT_NAMED : RIGHT;
  const x = (at: number): number =>
    first === last ? (LEFT + WIDTH - right) / 2 : LEFT + 8 + ((at - first) / (last - first)) * (WIDTH - LEFT - right - 16);
  // Zero has no logarithm: it stands on the ground.
  const y = (log: number): number => HEIGHT - BOTTOM - ((Math.max(low, log) - low) / (high - low)) * (HEIGHT - BOTTOM - TOP);
  const every = Math.ceil((high - low) / 6);
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i).filter((n) => n % every === 0);
  const drawn = series
    .filter(({ marks }) => marks.length > 0)
    .map((one) => ({ ...one, points: one.marks.map((mark) => ({ ...mark, px: x(mark.x), py: y(mark.log) })) }));
  const names = spread(
    drawn.map(({ points }) => points.at(-1)!.py),
    NAME_HEIGHT,
    HEIGHT - BOTTOM,
  );
  const exported = (): Exported | null =>
    svg.current && {
      svg: svg.current,
      markup: `<g class="chart">${svg.current.innerHTML}</g>`,
      box: { x: 0, y: 0, width: WIDTH, height: HEIGHT },
      rules: "chart",
    };
  return (
    <figure class="chart">
      <svg ref={svg} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-t ${id}-d`}>
        <title id={`${id}-t`}>{title}, logarithmic scale</title>
        <desc id={`${id}-d`}>
          {all
            .slice(0, 60)
            .map((mark) => mark.title)
            .join("; ")}
        </desc>
        {powers.map((n) => (
          <g key={n} class="tick">
            <line x1={LEFT} x2={WIDTH - right} y1={y(n)} y2={y(n)} class={n === 0 && low < 0 ? "even" : undefined} />
            <text x={LEFT - 8} y={y(n) + 4} text-anchor="end">
              {n >= 0 ? power(n) : String(10 ** n)}
            </text>
          </g>
        ))}
        {roundNumbers(first, last).map((at) => (
          <text key={at} class="axis" x={x(at)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
            {grouped(at)}
          </text>
        ))}
        <text class="axis" x={(LEFT + WIDTH - right) / 2} y={HEIGHT - 6} text-anchor="middle">
          {axis}
        </text>
        {level && (
          <g class="series kept">
            <path d={`M${LEFT} ${y(level.log)}H${WIDTH - right}`} />
            <text x={LEFT + 4} y={y(level.log) - 6}>
              {level.name}
            </text>
          </g>
        )}
        {drawn.map(({ points, joined = false, name, className = "able", shape = "circle" }, at) => (
          <g key={at} class={`series ${className}`}>
            {joined && <path d={points.map(({ px, py }, i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("")} />}
            {points.length <= 200 &&
              points.map(({ px, py, title }, i) =>
                shape === "circle" ? (
                  <circle key={i} cx={px} cy={py} r="3.5">
                    <title>{title}</title>
                  </circle>
                ) : (
                  <path key={i} class="point" d={`M${px.toFixed(1)} ${py.toFixed(1)}${SHAPES[shape]}`}>
                    <title>{title}</title>
                  </path>
                ),
              )}
            {name && (
              <text x={points.at(-1)!.px + 9} y={names[at]! + 4}>
                {name}
              </text>
            )}
          </g>
        ))}
      </svg>
      <figcaption class="muted small">
        {title}
        {save && (
          <>
            {" "}
            <button
              type="button"
              class="small"
              title={`Save the chart as SVG`}
              aria-label={`Save as SVG: ${title}`}
              onClick={() => {
                const picture = exported();
                if (picture) saveSvg(picture, save);
              }}
            >
              SVG
            </button>
          </>
        )}
      </figcaption>
    </figure>
  );
}
