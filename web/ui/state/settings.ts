// What a person sets: here what belongs to the program; what an analysis is asked for stands in its folder as a `Choice`.
// Settings travel in links and are kept over a reload. Everything that comes from outside is checked field by field; what is
// missing or odd falls back to the default.

import { type Signal, signal } from "@preact/signals";
import { type DataModel, type Ints, MAX_INLINE_DEPTH, MAX_LENGTH } from "../protocol";
import { grouped } from "../text/numbers";

export const LENGTHS_MAX = 50;
export const PRECONDITION_MAX = 1_000;
export const PRECONDITION_ALLOWED = `a condition of at most ${PRECONDITION_MAX} characters`;

/** What integers can be; `null` in the settings is what is usual for the language. */
export const INTS = ["unbounded", "c32"] as const satisfies readonly Ints[];

/** How many bits the types have, the usual first. */
export const MODELS = ["lp64", "ilp32", "llp64", "int16"] as const satisfies readonly DataModel[];

/** The name of a target; `null` is the usual one. */
export const targetOf = (model: DataModel, unsigned: boolean): string | null =>
  model === MODELS[0] && !unsigned ? null : `${model}${unsigned ? " unsigned-char" : ""}`;

/** All targets by name but for the usual one. */
const TARGETS = MODELS.flatMap((model) => [false, true].flatMap((unsigned) => targetOf(model, unsigned) ?? []));

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

/** Something in data from outside that is not taken: under which key it stands, what it says, and what it could say. */
export interface Wrong {
  key: string;
  says: string;
  allowed: string;
}

/** What is wrong, for a person. */
export const wrongText = ({ key, says, allowed }: Wrong): string => `${key} is ${says}; allowed: ${allowed}`;

/** So much of a wrong value is repeated. */
const SAYS_MAX = 60;

/** A value as a person reads it. */
export function says(value: unknown): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value);
  return text.length > SAYS_MAX ? `${text.slice(0, SAYS_MAX)}…` : text;
}

const isObject = (data: unknown): data is Record<string, unknown> => typeof data === "object" && data !== null && !Array.isArray(data);

/** Data from outside, read field by field. With `told` it notes there what it does not take. */
export class Untrusted {
  readonly #data: Record<string, unknown>;
  readonly #read = new Set<string>();
  readonly #parts: Untrusted[] = [];

  constructor(
    data: unknown,
    readonly told: Wrong[] | null = null,
    readonly under = "",
  ) {
    this.#data = isObject(data) ? data : {};
  }

  raw(key: string): unknown {
    this.#read.add(key);
    return Object.hasOwn(this.#data, key) ? this.#data[key] : undefined;
  }

  part(key: string): Untrusted {
    const data = this.raw(key);
    if (data !== undefined && !isObject(data)) this.wrong(key, "an object");
    const part = new Untrusted(data, this.told, `${this.under}${key}.`);
    this.#parts.push(part);
    return part;
  }

  /** All of it, as it is. */
  all(): Record<string, unknown> {
    return { ...this.#data };
  }

  entries(): [string, unknown][] {
    for (const key of Object.keys(this.#data)) this.#read.add(key);
    return Object.entries(this.#data);
  }

  /** Notes that what stands under a key is not taken. */
  wrong(key: string, allowed: string): void {
    this.told?.push({ key: this.under + key, says: says(this.raw(key)), allowed });
  }

  /** Notes keys that were not asked for, here and in the parts. */
  rest(): void {
    const names = [...this.#read];
    for (const key of Object.keys(this.#data))
      if (!names.includes(key)) this.wrong(key, `nothing, as no setting has this name. There are ${names.join(", ")}`);
    for (const part of this.#parts) part.rest();
  }

  whole<T>(key: string, low: number, high: number, otherwise: T): number | T {
    const sound = (n: unknown): n is number => typeof n === "number" && Number.isInteger(n) && n >= low && n <= high;
    return this.#taken(key, otherwise, sound, `a whole number from ${low} to ${high}`);
  }

  flag(key: string, otherwise: boolean): boolean {
    return this.#taken(key, otherwise, (on) => typeof on === "boolean", "true or false");
  }

  text<T>(key: string, otherwise: T, sound: (text: string) => boolean = () => true, allowed = "a text"): string | T {
    return this.#taken(key, otherwise, (text): text is string => typeof text === "string" && sound(text), allowed);
  }

  among<T extends string, O>(key: string, all: readonly T[], otherwise: O): T | O {
    return this.#taken(key, otherwise, (name): name is T => all.some((one) => one === name), all.join(", "));
  }

  #taken<T, O>(key: string, otherwise: O, sound: (value: unknown) => value is T, allowed: string): T | O {
    const value = this.raw(key);
    if (sound(value)) return value;
    if (value !== undefined && value !== otherwise) this.wrong(key, allowed);
    return otherwise;
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

/** Settings from untrusted data; `beside` are keys of it that are no settings. With `told` it notes there what it does not take. */
export function readSettings(
  data: unknown,
  choices: readonly AnyChoice[],
  told: Wrong[] | null = null,
  beside: readonly string[] = [],
): AllSettings {
  const from = new Untrusted(data, told);
  const all: AllSettings = {
    program: from.text("program", DEFAULTS.program),
    tab: from.text("tab", DEFAULTS.tab),
    function: from.text("function", null),
    ints: from.among("ints", INTS, null),
    inlineDepth: from.whole("inlineDepth", 0, MAX_INLINE_DEPTH, null),
    assume: from.text(
      "assume",
      null,
      (text) => /^-?[a-z-]+(,-?[a-z-]+)*$/.test(text) && text.length <= 200,
      "names of assumptions with commas between them",
    ),
    target: from.among("target", TARGETS, null),
    ...Object.fromEntries(choices.map(({ key, read, defaults }) => [key, read(from.part(key), defaults)])),
  };
  for (const key of beside) from.raw(key);
  if (told) from.rest();
  return all;
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

/** A list of lengths, for a person. */
export const LENGTHS_ALLOWED = `up to ${LENGTHS_MAX} lengths such as "10,20,30"`;

/** Whether a text is a list of lengths. */
export const areLengths = (text: string): boolean => typeof parseLengths(text) !== "string";

/** A whole number from `low` to `high` in a text field, or what is wrong with it. */
export function parseWhole(text: string, low: number, high: number): number | string {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return "A whole number is needed.";
  const n = Number(trimmed);
  return n >= low && n <= high ? n : `From ${low.toLocaleString("en")} to ${high.toLocaleString("en")}.`;
}
