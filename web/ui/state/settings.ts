// What a person sets: here what belongs to the program; what an analysis is asked for stands in its folder as a `Choice`.
// Settings travel in links and are kept over a reload. Everything that comes from outside is checked field by field; what is
// missing or odd falls back to the default.

import { type Signal, signal } from "@preact/signals";
import { type DataModel, type Ints, MAX_INLINE_DEPTH, MAX_LENGTH } from "../protocol";
import { grouped } from "../text/numbers";

export const LENGTHS_MAX = 50;
export const PRECONDITION_MAX = 1_000;

/** What integers can be; `null` in the settings is what is usual for the language. */
export const INTS = ["unbounded", "c32"] as const satisfies readonly Ints[];

/** How many bits the types have, the usual first. */
export const MODELS = ["lp64", "ilp32", "llp64", "int16"] as const satisfies readonly DataModel[];

/** The name of a target; `null` is the usual one. */
export const targetOf = (model: DataModel, unsigned: boolean): string | null =>
  model === MODELS[0] && !unsigned ? null : `${model}${unsigned ? " unsigned-char" : ""}`;

export interface Settings {
  /** The name of the example the text is, or `program`. */
  program: string;
  tab: string;
  function: string | null;
  ints: Ints | null;
  /** How often a function is inlined within itself; `null` is as often as is usual. */
  inlineDepth: number | null;
  /** What is assumed besides what is usual, and behind a `-` what is not, with commas; `null` is what is usual. */
  assume: string | null;
  /** The target, as the engine calls it; `null` is the usual one. */
  target: string | null;
}

export const DEFAULTS: Settings = {
  program: "program",
  tab: "report",
  function: null,
  ints: null,
  inlineDepth: null,
  assume: null,
  target: null,
};

/** Data from outside, read field by field. */
export class Untrusted {
  readonly #data: Record<string, unknown>;

  constructor(data: unknown) {
    this.#data = typeof data === "object" && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : {};
  }

  raw(key: string): unknown {
    return Object.hasOwn(this.#data, key) ? this.#data[key] : undefined;
  }

  part(key: string): Untrusted {
    return new Untrusted(this.raw(key));
  }

  entries(): [string, unknown][] {
    return Object.entries(this.#data);
  }

  whole<T>(key: string, low: number, high: number, otherwise: T): number | T {
    const n = this.raw(key);
    return typeof n === "number" && Number.isInteger(n) && n >= low && n <= high ? n : otherwise;
  }

  flag(key: string, otherwise: boolean): boolean {
    const on = this.raw(key);
    return typeof on === "boolean" ? on : otherwise;
  }

  text<T>(key: string, otherwise: T, sound: (text: string) => boolean = () => true): string | T {
    const text = this.raw(key);
    return typeof text === "string" && sound(text) ? text : otherwise;
  }

  among<T extends string, O>(key: string, all: readonly T[], otherwise: O): T | O {
    return all.find((name) => name === this.raw(key)) ?? otherwise;
  }
}

/** What is chosen for one question of an analysis. */
export class Choice<T extends object> {
  readonly #chosen: Signal<T>;

  /** In links it stands under `key`; one that few people change is left out of them where it is as usual, so that they stay short. */
  constructor(
    readonly key: string,
    readonly defaults: T,
    readonly read: (from: Untrusted, otherwise: T) => T,
    readonly rare = false,
  ) {
    this.#chosen = signal(defaults);
  }

  get value(): T {
    return this.#chosen.value;
  }

  set value(to: T) {
    this.#chosen.value = to;
  }

  /** Puts the defaults back. */
  reset(): void {
    this.#chosen.value = this.defaults;
  }

  change(part: Partial<T>): void {
    this.#chosen.value = { ...this.#chosen.peek(), ...part };
  }
}

export type AnyChoice = Choice<any>;

/** All that is set: the program's settings, and those of each choice under its key. */
export type AllSettings = Settings & Record<string, unknown>;

/** Settings from untrusted data. */
export function readSettings(data: unknown, choices: readonly AnyChoice[]): AllSettings {
  const from = new Untrusted(data);
  return {
    program: from.text("program", DEFAULTS.program),
    tab: from.text("tab", DEFAULTS.tab),
    function: from.text("function", null),
    ints: from.among("ints", INTS, null),
    inlineDepth: from.whole("inlineDepth", 0, MAX_INLINE_DEPTH, null),
    assume: from.text("assume", null, (text) => /^-?[a-z-]+(,-?[a-z-]+)*$/.test(text) && text.length <= 200),
    target: from.text("target", null, (name) => MODELS.some((model) => [false, true].some((char) => targetOf(model, char) === name))),
    ...Object.fromEntries(choices.map(({ key, read, defaults }) => [key, read(from.part(key), defaults)])),
  };
}

/** What few change is left out where it is as usual. */
export function shortened({ inlineDepth, assume, target, ...all }: AllSettings, choices: readonly AnyChoice[]): Record<string, unknown> {
  const usual = new Set(
    choices.filter(({ key, rare, defaults }) => rare && JSON.stringify(all[key]) === JSON.stringify(defaults)).map(({ key }) => key),
  );
  return {
    ...Object.fromEntries(Object.entries(all).filter(([key]) => !usual.has(key))),
    ...(inlineDepth === null ? {} : { inlineDepth }),
    ...(assume === null ? {} : { assume }),
    ...(target === null ? {} : { target }),
  };
}

/** The names in what is assumed, and in what is not. */
export function assumptions(assume: string | null): { assume: string[]; no_assume: string[] } {
  const names = assume === null ? [] : assume.split(",");
  return {
    assume: names.filter((name) => !name.startsWith("-")),
    no_assume: names.filter((name) => name.startsWith("-")).map((name) => name.slice(1)),
  };
}

/** What is assumed when one choice is made anew. */
export function assuming(before: string | null, { id, usual }: { id: string; usual: boolean }, on: boolean): string | null {
  const others = before === null ? [] : before.split(",").filter((name) => name !== id && name !== `-${id}`);
  const names = on === usual ? others : [...others, on ? id : `-${id}`];
  return names.length === 0 ? null : names.sort().join();
}

/** The lengths of a comma list, or what is wrong with it. */
export function parseLengths(text: string): number[] | string {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => part === "")) return "Give at least one length, such as 10,20,30.";
  const lengths: number[] = [];
  for (const part of parts) {
    if (!/^\d+$/.test(part)) return part === "" ? "There is an empty place between two commas." : `“${part}” is not a whole number.`;
    const length = Number(part);
    if (length > MAX_LENGTH) return `${part} is outside 0 to ${grouped(MAX_LENGTH)}.`;
    if (!lengths.includes(length)) lengths.push(length);
  }
  if (lengths.length > LENGTHS_MAX) return `At most ${LENGTHS_MAX} lengths at a time.`;
  return lengths.sort((a, b) => a - b);
}

/** Whether a text is a list of lengths. */
export const areLengths = (text: string): boolean => typeof parseLengths(text) !== "string";

/** A whole number from `low` to `high` in a text field, or what is wrong with it. */
export function parseWhole(text: string, low: number, high: number): number | string {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return "A whole number is needed.";
  const n = Number(trimmed);
  return n >= low && n <= high ? n : `From ${low.toLocaleString("en")} to ${high.toLocaleString("en")}.`;
}
