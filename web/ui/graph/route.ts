// Curves for edges. The layout gives points whose y runs one way, so the curve is a monotone cubic in y: it passes
// through every point, never swings past one sideways, and stands upright beside its label, which it therefore never
// cuts.

export interface Point {
  x: number;
  y: number;
}

/** What is left of a curve once drawn: the SVG path, its end and the direction there. */
export interface Route {
  d: string;
  end: Point;
  angle: number;
}

const round = (n: number): number => Math.round(n * 10) / 10;

/** Slopes dx/dy at the points, after Fritsch and Carlson (as in Steffen's variant): no overshoot. */
function slopes(points: readonly Point[]): number[] {
  const n = points.length;
  const secant: number[] = [];
  const step: number[] = [];
  for (let i = 0; i + 1 < n; i++) {
    const a = points[i]!;
    const b = points[i + 1]!;
    const dy = b.y - a.y || 1e-6;
    step.push(dy);
    secant.push((b.x - a.x) / dy);
  }
  const slope: number[] = new Array<number>(n).fill(0);
  for (let i = 1; i + 1 < n; i++) {
    const s0 = secant[i - 1]!;
    const s1 = secant[i]!;
    if (s0 * s1 <= 0) continue;
    const h0 = step[i - 1]!;
    const h1 = step[i]!;
    const p = (s0 * h1 + s1 * h0) / (h0 + h1);
    slope[i] = Math.sign(s0) * Math.min(Math.abs(s0), Math.abs(s1), Math.abs(p) / 2) * 2;
  }
  slope[0] = n > 1 ? (3 * secant[0]! - slope[1]!) / 2 : 0;
  slope[n - 1] = n > 1 ? (3 * secant[n - 2]! - slope[n - 2]!) / 2 : 0;
  return slope;
}

/** The curve through `points`, whose y is strictly monotone. */
export function curve(points: readonly Point[]): Route {
  const slope = slopes(points);
  const first = points[0]!;
  let d = `M${round(first.x)} ${round(first.y)}`;
  let before: Point = first;
  for (let i = 0; i + 1 < points.length; i++) {
    const a = points[i]!;
    const b = points[i + 1]!;
    const third = (b.y - a.y) / 3;
    const c1 = { x: a.x + third * slope[i]!, y: a.y + third };
    const c2 = { x: b.x - third * slope[i + 1]!, y: b.y - third };
    d += `C${round(c1.x)} ${round(c1.y)} ${round(c2.x)} ${round(c2.y)} ${round(b.x)} ${round(b.y)}`;
    before = c2;
  }
  const end = points[points.length - 1]!;
  return { d, end, angle: Math.atan2(end.y - before.y, end.x - before.x) };
}

/** Where the line from a node's centre towards `to` leaves its outline (an ellipse is near enough for all shapes). */
export function border(centre: Point, width: number, height: number, to: Point, gap = 0): Point {
  const dx = to.x - centre.x;
  const dy = to.y - centre.y;
  const a = width / 2 + gap;
  const b = height / 2 + gap;
  const scale = 1 / Math.sqrt((dx * dx) / (a * a) + (dy * dy) / (b * b) || 1);
  return { x: centre.x + dx * scale, y: centre.y + dy * scale };
}

/** A loop on the right side of a node. */
export function selfLoop(centre: Point, width: number): Route & { label: Point } {
  const { x, y } = centre;
  const right = x + width / 2;
  const end = { x: right - 2, y: y + 8 };
  const d = `M${round(right - 2)} ${round(y - 8)}C${round(right + 30)} ${round(y - 26)} ${round(right + 30)} ${round(y + 26)} ${round(end.x)} ${round(end.y)}`;
  return { d, end, angle: Math.atan2(-18, -32), label: { x: right + 26, y } };
}
