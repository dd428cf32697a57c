// Points or a line over whole numbers, heights on a logarithmic scale.

import { useId } from "preact/hooks";
import { grouped, power } from "../numbers";

export interface LogMark {
  x: number;
  /** The decimal logarithm of what is shown. */
  log: number;
  title: string;
}

interface Props {
  title: string;
  axis: string;
  marks: readonly LogMark[];
  /** Whether a line joins the points, as steps: what is shown holds until the next one. */
  joined?: boolean;
  /** A level that is drawn across, and what is written at it. */
  level?: { log: number; name: string };
}

const LEFT = 60;
const RIGHT = 20;
const TOP = 14;
const BOTTOM = 42;
const WIDTH = 370;
const HEIGHT = 250;

/** About five round numbers from `low` to `high`. */
export function roundNumbers(low: number, high: number): number[] {
  const rough = (high - low || 1) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough) ?? rough);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) ticks.push(at);
  return ticks;
}

export function LogChart({ title, axis, marks, joined = false, level }: Props) {
  const id = useId();
  const xs = marks.map((mark) => mark.x);
  const logs = [...marks.map((mark) => mark.log), ...(level ? [level.log] : [])].filter(Number.isFinite);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(0, Math.floor(Math.min(0, ...logs))), Math.max(1, Math.ceil(Math.max(0, ...logs)))];
  const x = (at: number): number => LEFT + 8 + ((at - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT - 16);
  // Zero has no logarithm: it stands on the ground.
  const y = (log: number): number => HEIGHT - BOTTOM - ((Math.max(low, log) - low) / (high - low)) * (HEIGHT - BOTTOM - TOP);
  const every = Math.ceil((high - low) / 6);
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i).filter((n) => n % every === 0);
  const points = marks.map((mark) => ({ ...mark, px: x(mark.x), py: y(mark.log) }));
  const line = points.map(({ px, py }, i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-t ${id}-d`}>
        <title id={`${id}-t`}>{title}, logarithmic scale</title>
        <desc id={`${id}-d`}>{marks.slice(0, 60).map((mark) => mark.title).join("; ")}</desc>
        {powers.map((n) => (
          <g key={n} class="tick">
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(n)} y2={y(n)} class={n === 0 ? "even" : undefined} />
            <text x={LEFT - 8} y={y(n) + 4} text-anchor="end">{n >= 0 ? power(n) : String(10 ** n)}</text>
          </g>
        ))}
        {roundNumbers(first, last).map((at) => <text key={at} class="axis" x={x(at)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">{grouped(at)}</text>)}
        <text class="axis" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} text-anchor="middle">{axis}</text>
        {level && (
          <g class="series kept">
            <path d={`M${LEFT} ${y(level.log)}H${WIDTH - RIGHT}`} />
            <text x={LEFT + 4} y={y(level.log) - 6}>{level.name}</text>
          </g>
        )}
        <g class="series able">
          {joined && <path d={line} />}
          {points.length <= 200 && points.map(({ px, py, title }, i) => <circle key={i} cx={px} cy={py} r="3.5"><title>{title}</title></circle>)}
        </g>
      </svg>
      <figcaption class="muted small">{title}</figcaption>
    </figure>
  );
}
