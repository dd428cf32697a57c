// Naive counters over a drawn graph of boxes: all pairs are compared. `boxes` and `loops` are rectangles by their sides, `lines` polylines.

/** The corners of a line along upright and level parts with round bends, as the page writes it. */
export function cornersOf(d) {
  const parts = [...d.matchAll(/([MLQ])([-\d. ]+)/g)].map(([, command, numbers]) => ({
    command,
    at: numbers.trim().split(/\s+/).map(Number),
  }));
  return parts.flatMap(({ command, at }, i) => (command === "L" && parts[i + 1]?.command === "Q" ? [] : [{ x: at[0], y: at[1] }]));
}

const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
const cross = (a, b, c, d) => turn(a, b, c) * turn(a, b, d) < -1e-6 && turn(c, d, a) * turn(c, d, b) < -1e-6;
const parts = ({ points }) => points.slice(1).map((point, i) => [points[i], point]);

/** How often two lines cross. */
export function crossings(lines) {
  let count = 0;
  lines.forEach((one, i) => {
    for (const other of lines.slice(i + 1))
      for (const [a, b] of parts(one)) for (const [c, d] of parts(other)) if (cross(a, b, c, d)) count++;
  });
  return count;
}

/** The lines that run through a box, as pairs; they may touch its border. */
export const throughBoxes = (lines, boxes) =>
  lines.flatMap((line) =>
    boxes
      .filter(({ left, right, top, bottom }) =>
        parts(line).some(
          ([a, b]) =>
            Math.max(a.x, b.x) > left + 1.5 &&
            Math.min(a.x, b.x) < right - 1.5 &&
            Math.max(a.y, b.y) > top + 1.5 &&
            Math.min(a.y, b.y) < bottom - 1.5,
        ),
      )
      .map((box) => [line.name, box.name]),
  );

const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/** The boxes that overlap, as pairs. */
export const overlaps = (boxes) =>
  boxes.flatMap((one, i) => boxes.slice(i + 1).flatMap((other) => (meet(one, other) ? [[one.name, other.name]] : [])));

const within = (box, loop) => box.left >= loop.left && box.right <= loop.right && box.top >= loop.top && box.bottom <= loop.bottom;

/** The boxes that stand partly in a loop's region, as pairs. */
export const brokenLoops = (boxes, loops) =>
  loops.flatMap((loop, i) => boxes.flatMap((box) => (meet(box, loop) && !within(box, loop) ? [[`loop ${i}`, box.name]] : [])));

/** The boxes in a loop's region. */
export const inside = (boxes, loop) => boxes.filter((box) => within(box, loop));

/** The decisions whose true side does not begin left of the false one. */
export function wrongSides(lines) {
  const sides = (holds) => new Map(lines.filter((line) => line.holds === holds).map((line) => [line.from, line]));
  const no = sides(false);
  return [...sides(true)].flatMap(([from, line]) => (no.has(from) && line.points[0].x >= no.get(from).points[0].x ? [from] : []));
}
