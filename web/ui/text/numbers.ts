// Numbers for people. Counts arrive as decimal strings of any size and stay exact: BigInt, never a double.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `1224` → `1,224`. */
export function grouped(digits: string | number): string {
  return String(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

const superscript = (n: number): string => [...String(n)].map((d) => SUPERSCRIPTS[Number(d)]).join("");

/** Counters as formulas have them: `κ1` → `κ₁`. */
export const subscript = (text: string): string =>
  text.replace(/(?<=[κτ★])\d+/g, (digits) => [...digits].map((d) => "₀₁₂₃₄₅₆₇₈₉"[Number(d)]).join(""));

/** A power of ten for an axis. */
export function power(exponent: number): string {
  return exponent <= 5 ? grouped(10 ** exponent) : `10${superscript(exponent)}`;
}

/** Groups digits, and from 16 digits on shortens to `1.23 × 10⁴⁵` (truncated, never rounded up to a number that is not reached). */
export function short(digits: string): string {
  if (digits.length < 16) return grouped(digits);
  return `${digits[0]}.${digits.slice(1, 3)} × 10${superscript(digits.length - 1)}`;
}

/** log10 of a positive decimal string; `-Infinity` for zero. */
export function log10(digits: string): number {
  const head = digits.slice(0, 15);
  return Math.log10(Number(head)) + (digits.length - head.length);
}

/** `part / whole` as a percentage with three significant digits, exact up to the last shown one; `–` without a whole. */
export function share(part: string, whole: string): string {
  const a = BigInt(part);
  const b = BigInt(whole);
  if (b === 0n) return "–";
  if (a === b) return "100 %";
  if (a === 0n) return "0 %";
  const millionths = (a * 100_000_000n) / b;
  const percent = Number(millionths) / 1_000_000;
  if (percent < 0.001) return "< 0.001 %";
  const digits = percent >= 99 ? 3 : percent >= 10 ? 1 : percent >= 1 ? 2 : 3;
  // Down, so that 99.9996 % never reads 100 %.
  const scale = 10 ** digits;
  return `${(Math.floor(percent * scale) / scale).toFixed(digits).replace(/\.?0+$/, "")} %`;
}

export function plural(n: number, one: string, many: string = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** Milliseconds for people. */
export function duration(ms: number): string {
  return ms < 1 ? "under 1 ms" : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
