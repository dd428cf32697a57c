// Tests in readable lines: `3–5, 7`; their inputs: `la = 0, lb = 1`, `a = {0: 3, 4: -1, else 0}`, `nondet() = 4, 0`, `stdin = "43\n0"`.

import type { CfgDocument, Input, InputValue, WrittenValue } from "../protocol";

/** An input whose value the run does not read. */
export const ANY = "any";
const NONDET = "nondet()";

/** Arrays written as C's initialisers when their indices are 0, 1, 2 … and few; as a map otherwise. */
export function valueText(v: InputValue): string {
  if (typeof v !== "object") return String(v);
  const indices = Object.keys(v).filter((key) => key !== "default");
  indices.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  const rest = v.default;
  const dense = indices.every((index, i) => index === String(i));
  const parts = indices.map((index) => (dense ? String(v[index]) : `[${index}] = ${v[index]}`));
  if (rest !== undefined) parts.push(indices.length === 0 ? `all ${rest}` : `then ${rest}`);
  return `{${parts.join(", ")}}`;
}

const ESCAPES: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };

/** A text on standard input as a string of C. */
export function quotedText(text: string): string {
  const octal = (c: string): string => (c <= "\u00ff" ? `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}` : c);
  return `"${text.replace(/[^ -~]|["\\]/g, (c) => ESCAPES[c] ?? octal(c))}"`;
}

/** What a function reads. */
export type Reads = Pick<CfgDocument, "inputs" | "nondet"> & { stdin?: boolean };

/** An input's parts; what is drawn has names where not all of it is `nondet()`. */
export interface Parts {
  values: [string, InputValue][];
  drawn: { name: string; value: InputValue }[];
  /** The text on standard input. */
  stdin: string | null;
}

export function partsOf(input: Input): Parts {
  const {
    nondet = [],
    nondet_names: names = [],
    stdin,
    written_as: _,
    ...values
  } = input as { nondet?: InputValue[]; nondet_names?: string[]; stdin?: unknown; written_as?: unknown } & Record<string, InputValue>;
  const drawn = nondet.map((value, at) => ({ name: names[at] ?? NONDET, value }));
  // An input of this name that is a number is one of the program's own.
  const isText = typeof stdin === "string";
  return {
    values: [...Object.entries(values), ...(stdin === undefined || isText ? [] : [["stdin", stdin] as [string, InputValue]])] as [
      string,
      InputValue,
    ][],
    drawn,
    stdin: isText ? stdin : null,
  };
}

/** Whether nothing is given: each input is then 0, or nothing reads it. */
export const isEmpty = (input: Input): boolean => {
  const { values, drawn, stdin } = partsOf(input);
  return values.length + drawn.length === 0 && stdin === null;
};

/** The parts of an input as the engine has written them. */
export const writtenAs = (input: Input): readonly WrittenValue[] => (input as { written_as?: WrittenValue[] }).written_as ?? [];

/** What a draw is called that says whether a call gives memory; then it is not 0 where it gives none. */
const ALLOCATION = "malloc()";

/** As the engine has written it; what comes without that, by its numbers. */
export function inputText(input: Input, of?: Reads | undefined): string {
  const written = writtenAs(input);
  if (written.some(({ text }) => text !== ANY))
    return written.map(({ name, text }, at) => (name === NONDET && written[at - 1]?.name === name ? text : `${name} = ${text}`)).join(", ");
  if (written.length > 0) return "any input";
  const { values: all, drawn: draws, stdin } = partsOf(input);
  // That a call gives memory is said only before one that gives none.
  const last = draws.findLastIndex(({ name, value }) => !name.startsWith(ALLOCATION) || value !== 0);
  const drawn = draws.slice(0, last + 1);
  // The value of a union's member shows which one was written last.
  const values = all.filter(([name]) => !name.endsWith(".(last)"));
  const [arrays, numbers] = [true, false].map((array) => values.filter(([, v]) => (typeof v === "object") === array));
  const parts = [...numbers!, ...arrays!].map(([name, v]) => `${name} = ${valueText(v)}`);
  // A text as C has it.
  if (stdin !== null) parts.push(`stdin = ${quotedText(stdin)}`);
  for (const [at, { name, value }] of drawn.entries()) {
    if (at > 0 && drawn[at - 1]!.name === name) parts.push(`${parts.pop()}, then ${valueText(value)}`);
    else parts.push(`${name} = ${valueText(value)}`);
  }
  return parts.length > 0
    ? parts.join(", ")
    : of && of.inputs.length === 0 && !of.nondet && of.stdin !== true
      ? "no inputs: it always runs"
      : "any input";
}

/** So many letters in a row are read as a text. */
const WORD = 3;

/** Arrays of numbers in an input that read as texts up to their first 0: `text = "Hello"`. */
export function textsOf(input: Input): string[] {
  const strings = new Set(writtenAs(input).flatMap(({ name, text }) => (/^[{]/.test(text) ? [] : [name])));
  return partsOf(input).values.flatMap(([name, v]) => {
    if (typeof v !== "object" || strings.has(name)) return [];
    const codes = Array.from({ length: Object.keys(v).length }, (_, at) => Number(v[at] ?? v.default ?? 0));
    const end = codes.indexOf(0);
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
