// How many times as fast generalizing is: points or a line, the speed-up on a logarithmic scale.

import { useId } from "preact/hooks";
import { grouped } from "../numbers";

interface Mark {
  x: number;
  y: number;
  title: string;
}

const LEFT = 56;
const RIGHT = 20;
const TOP = 14;
const BOTTOM = 42;
const WIDTH = 370;
const HEIGHT = 250;

/** Ticks of an axis from `low` to `high`: about five round numbers. */
export function round(low: number, high: number): number[] {
  const span = high - low || 1;
  const rough = span / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough) ?? rough);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) ticks.push(at);
  return ticks;
}

export function SpeedChart({ title, axis, marks, joined = false }: { title: string; axis: string; marks: readonly Mark[]; joined?: boolean }) {
  const id = useId();
  const xs = marks.map((mark) => mark.x);
  const logs = marks.map((mark) => Math.log10(mark.y));
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  // 1, where both are equally fast, is always on it.
  const [low, high] = [Math.min(0, Math.floor(Math.min(...logs))), Math.max(1, Math.ceil(Math.max(...logs)))];
  const x = (at: number): number => LEFT + 8 + ((at - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT - 16);
  const y = (log: number): number => HEIGHT - BOTTOM - ((log - low) / (high - low)) * (HEIGHT - BOTTOM - TOP);
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-t ${id}-d`}>
        <title id={`${id}-t`}>{title}, logarithmic scale</title>
        <desc id={`${id}-d`}>{marks.map((mark) => mark.title).join("; ")}</desc>
        {powers.map((power) => (
          <g key={power} class="tick">
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(power)} y2={y(power)} class={power === 0 ? "even" : undefined} />
            <text x={LEFT - 8} y={y(power) + 4} text-anchor="end">{power >= 0 ? grouped(10 ** power) : String(10 ** power)}</text>
          </g>
        ))}
        {round(first, last).map((at) => <text key={at} class="axis" x={x(at)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">{grouped(at)}</text>)}
        <text class="axis" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} text-anchor="middle">{axis}</text>
        <g class="series able">
          {joined && <path d={marks.map((mark, i) => `${i ? "L" : "M"}${x(mark.x).toFixed(1)} ${y(Math.log10(mark.y)).toFixed(1)}`).join("")} />}
          {marks.map((mark, i) => <circle key={i} cx={x(mark.x)} cy={y(Math.log10(mark.y))} r="3.5"><title>{mark.title}</title></circle>)}
        </g>
      </svg>
      <figcaption class="muted small">{title}</figcaption>
    </figure>
  );
}
