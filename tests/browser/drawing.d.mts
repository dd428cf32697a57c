export interface Sides {
  name: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}
export interface Line {
  name: string;
  from: number;
  holds: boolean | null;
  points: { x: number; y: number }[];
}
type Pairs = [string, string][];
export function cornersOf(d: string): { x: number; y: number }[];
export function crossings(lines: readonly Line[]): number;
export function throughBoxes(lines: readonly Line[], boxes: readonly Sides[]): Pairs;
export function overlaps(boxes: readonly Sides[]): Pairs;
export function brokenLoops(boxes: readonly Sides[], loops: readonly Sides[]): Pairs;
export function inside(boxes: readonly Sides[], loop: Sides): Sides[];
export function wrongSides(lines: readonly Line[]): number[];
