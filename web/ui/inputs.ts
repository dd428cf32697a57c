// Tests in readable lines: `3–5, 7`; their inputs: `la = 0, lb = 1`, `a = {0: 3, 4: -1, else 0}`, `nondet() = 4, 0`.

import type { CfgDocument, Input, InputValue } from "./protocol";

/** Arrays written as C's initialisers when their indices are 0, 1, 2 … and few; as a map otherwise. */
export function valueText(v: InputValue): string {
  if (typeof v !== "object") return String(v);
  const indices = Object.keys(v).filter((key) => key !== "default");
  indices.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  const rest = v["default"];
  const dense = indices.every((index, i) => index === String(i));
  const parts = indices.map((index) => (dense ? String(v[index]) : `[${index}] = ${v[index]}`));
  if (rest !== undefined) parts.push(indices.length === 0 ? `all ${rest}` : `then ${rest}`);
  return `{${parts.join(", ")}}`;
}

/** Numbers first, `of` the function: where there is little room, arrays are cut off. */
export function inputText(input: Input, of?: Pick<CfgDocument, "inputs" | "nondet"> | undefined): string {
  const { nondet, stdin, ...values } = input as { nondet?: InputValue[]; stdin?: unknown } & Record<string, InputValue>;
  const [arrays, numbers] = [true, false].map((array) => Object.entries(values).filter(([, v]) => (typeof v === "object") === array));
  const parts = [...numbers!, ...arrays!].map(([name, v]) => `${name} = ${valueText(v as InputValue)}`);
  // A text as C has it; a parameter of this name is a number.
  if (typeof stdin === "string") parts.push(`stdin = ${JSON.stringify(stdin)}`);
  else if (stdin !== undefined) parts.push(`stdin = ${valueText(stdin as InputValue)}`);
  if (nondet && nondet.length > 0) parts.push(`nondet() = ${nondet.map(valueText).join(", then ")}`);
  return parts.length > 0 ? parts.join(", ") : of && of.inputs.length === 0 && !of.nondet ? "no inputs: it always runs" : "any input";
}

/** So many letters in a row are read as a text. */
const WORD = 3;

/** Arrays of an input that read as texts up to their first 0: `text = "Hello"`. */
export function textsOf(input: Input): string[] {
  return Object.entries(input as Record<string, InputValue>).flatMap(([name, v]) => {
    if (typeof v !== "object" || name === "nondet") return [];
    const codes = Array.from({ length: Object.keys(v).length }, (_, at) => Number(v[at] ?? v["default"] ?? 0));
    const end = codes.findIndex((code) => code === 0);
    const text = String.fromCharCode(...(end < 0 ? codes : codes.slice(0, end)));
    return /^[ -~]+$/.test(text) && text.length >= WORD ? [`${name} = "${text}"`] : [];
  });
}

/** Lines as runs: `3–5, 7`. */
export function lineRuns(lines: readonly number[]): string {
  const sorted = [...new Set(lines)].sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const line of sorted) {
    const last = runs.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else runs.push([line, line]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}
