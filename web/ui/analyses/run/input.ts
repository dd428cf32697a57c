// The input of a run: as typed in fields, as JSON, and as the engine takes it.

import type { Input, InputName, InputValue, Number as Int } from "../../protocol";
import { partsOf } from "../../text/inputs";
import type { RunChoice } from "./settings";

/** The name under which the list of `nondet()` values stands in messages. */
export const NONDET = "nondet";

const DIGITS = /^-?\d+$/;
/** What is drawn has no name, and is brought into the range where it goes. */
const ANY: InputName = { name: "", array: true, least: null, greatest: null, length: null };

/** A number where JSON keeps it exactly, else its digits. */
const integer = (digits: string): Int => (Number.isSafeInteger(Number(digits)) ? Number(digits) : digits);

/** The range of an input in words, such as `0 to 255`. */
export const rangeOf = ({ least, greatest }: InputName): string | null =>
  least === null || greatest === null ? null : `${least} to ${greatest}`;

interface Read {
  value: InputValue | null;
  wrong: string | null;
}
const wrong = (message: string): Read => ({ value: null, wrong: message });

function number(text: string, name: InputName): Int | string[] {
  const digits = text.trim();
  if (!DIGITS.test(digits)) return [digits === "" ? "An integer is missing." : `“${digits.slice(0, 30)}” is not an integer.`];
  const { least, greatest } = name;
  if ((least !== null && BigInt(digits) < BigInt(least)) || (greatest !== null && BigInt(digits) > BigInt(greatest)))
    return [`From ${rangeOf(name)}.`];
  return integer(digits);
}

/** `3, 1, then 7`, `all 7`, or JSON such as `{"5": 1, "default": 0}`. */
function array(text: string, name: InputName): Read {
  let parts: [string, string][];
  if (/^\{.*:/s.test(text)) {
    try {
      parts = Object.entries(JSON.parse(text) as Record<string, unknown>).map(([index, value]) => [index, String(value)]);
    } catch {
      return wrong("This is not JSON.");
    }
  } else {
    const list = text.replace(/^\{|\}$/g, "").split(",");
    parts = list.map((part, at) => {
      const rest = at === list.length - 1 ? /^\s*(?:then|all)\s+(.*)$/.exec(part) : null;
      return rest ? ["default", rest[1]!] : [String(at), part];
    });
  }
  const elements: Record<string, Int> = {};
  for (const [index, part] of parts) {
    if (index !== "default" && !DIGITS.test(index)) return wrong(`“${index.slice(0, 30)}” is no index.`);
    if (index !== "default" && name.length !== null && (BigInt(index) < 0n || BigInt(index) >= BigInt(name.length)))
      return wrong(`There are only ${name.length} elements.`);
    const value = number(part, name);
    if (Array.isArray(value)) return wrong(value[0]!);
    elements[index] = value;
  }
  return { value: elements, wrong: null };
}

/** What the fields say, and by name what is wrong with them. Empty ones are left out: they are 0. */
export function readInput({ values, nondet, stdin }: RunChoice, names: readonly InputName[]): { input: Input; wrong: Map<string, string> } {
  const input: Record<string, InputValue> = {};
  const bad = new Map<string, string>();
  for (const name of names) {
    const text = values[name.name]?.trim() ?? "";
    if (text === "") continue;
    const value = name.array ? null : number(text, name);
    const read = name.array ? array(text, name) : Array.isArray(value) ? wrong(value[0]!) : { value, wrong: null };
    if (read.wrong !== null) bad.set(name.name, read.wrong);
    else if (read.value !== null) input[name.name] = read.value;
  }
  const drawn: InputValue[] = [];
  // The contents of an array stand in braces, with commas of their own.
  for (const part of nondet.trim() === "" ? [] : nondet.split(/,(?![^{]*\})/).map((part) => part.trim())) {
    const contents = part.startsWith("{") ? array(part, ANY) : null;
    if (contents?.value != null) drawn.push(contents.value);
    else if (DIGITS.test(part)) drawn.push(integer(part));
    else bad.set(NONDET, contents?.wrong ?? `“${part.slice(0, 30)}” is not an integer.`);
  }
  return { input: { ...input, nondet: drawn, ...(stdin === "" ? {} : { stdin }) } as Input, wrong: bad };
}

/** A value as a field shows it. */
function textOf(value: InputValue): string {
  if (typeof value !== "object") return String(value);
  const { default: rest, ...elements } = value as Record<string, Int>;
  const indices = Object.keys(elements);
  if (!indices.every((index, at) => index === String(at))) return JSON.stringify(value);
  const parts = indices.map((index) => String(elements[index]));
  if (rest !== undefined && String(rest) !== "0") parts.push(parts.length === 0 ? `all ${rest}` : `then ${rest}`);
  return parts.join(", ");
}

/** The fields for an input. */
export function fieldsOf(input: Input): RunChoice {
  const { values, drawn, stdin } = partsOf(input);
  return {
    values: Object.fromEntries(values.map(([name, value]) => [name, textOf(value)])),
    stdin: stdin ?? "",
    nondet: drawn.map(({ value }) => (typeof value === "object" ? `{${textOf(value).replace(/^\{|\}$/g, "")}}` : String(value))).join(", "),
  };
}

const isInt = (x: unknown): x is Int => (typeof x === "number" && Number.isSafeInteger(x)) || (typeof x === "string" && DIGITS.test(x));

/** What is wrong with an input from JSON. */
export function wrongInput(data: unknown): string | null {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return "An object from names to values is needed.";
  for (const [name, value] of Object.entries(data)) {
    // What the values in `nondet` are, for people; and a text.
    if ((name === "nondet_names" && Array.isArray(value)) || (name === "stdin" && typeof value === "string")) continue;
    const parts: unknown[] =
      name === NONDET && Array.isArray(value) ? value : typeof value === "object" && value !== null ? Object.values(value) : [value];
    if (!parts.every(isInt)) return `“${name.slice(0, 30)}”: integers are needed; from 2⁵³ on as strings.`;
  }
  return null;
}

/** The fields for a test as JSON, or what is wrong with it. */
export function readJson(text: string): RunChoice | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return "This is not JSON.";
  }
  return wrongInput(data) ?? fieldsOf(data as Input);
}
