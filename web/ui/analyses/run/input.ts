// The input of a run: as typed in fields, which the engine reads, and as JSON.

import type { Diagnostic, Input, InputName, InputValue, Number as Int } from "../../protocol";
import { ANY, partsOf, writtenAs } from "../../text/inputs";
import { plural } from "../../text/numbers";
import type { RunChoice } from "./settings";

/** The name under which the list of `nondet()` values stands in messages. */
export const NONDET = "nondet";

const DIGITS = /^-?\d+$/;

/** A field of the form: an object of the text, and what its values are in words. */
export interface InputField {
  name: string;
  about: string;
  wide: boolean;
}

/** What one value is, in words. */
function takes({ form, constants = [], least, greatest }: InputName): string {
  const range = least !== null && greatest !== null ? `${least} to ${greatest}` : "";
  if (form === "character") return "a character, as 'a'";
  if (form === "truth") return "true or false";
  if (form === "pointer") return constants.length > 0 ? constants.join(" or ") : "NULL or an address";
  if (form === "number") return "a number, as 2.5";
  return form === "constant" ? constants.join(", ") : range;
}

/** What names the nodes of a structure together. */
const NODES = /^struct (\w+)$/;

/** How a node is written, with its members. */
function nodesAbout(node: string, parts: readonly InputName[]): string {
  // Pointers of a node that lie in one array: `tree.left|right`.
  const members = parts.flatMap((part) => part.name.replace(/#\d+/, "").split(".").slice(1).join(".").split("|"));
  return `as ${node}1 = {${members.map((member) => `.${member} = …`).join(", ")}}`;
}

/** The fields for the inputs of a function, one for each object. */
export function fieldsFor(names: readonly InputName[]): InputField[] {
  const objects = new Map<string, InputName[]>();
  for (const name of names) objects.set(name.object, [...(objects.get(name.object) ?? []), name]);
  return [...objects].map(([name, parts]) => {
    // All nodes of a structure: `struct node`.
    const node = NODES.exec(name)?.[1];
    if (node !== undefined) return { name, about: nodesAbout(node, parts), wide: true };
    const isNullable = parts.some((part) => part.name === `${name}.null`);
    const [first, ...others] = parts.filter((part) => part.name !== `${name}.null`);
    const about = isNullable ? ["NULL or"] : [];
    // A name like `p.value` is that of a member.
    const members = parts.some((part) => part !== first || part.name.startsWith(`${name}.`)) && (others.length > 0 || first?.name !== name);
    if (members) {
      const of = parts.filter((part) => part.name.startsWith(`${name}.`) && part.name !== `${name}.null`);
      about.push(of.map((part) => part.name.slice(name.length).replace(/#\d+$/, "")).join(", "));
    } else if (first) {
      if (first.array && first.form === "character") about.push('text, as "on"');
      else if (first.array)
        about.push([takes(first), first.length === null ? "array" : plural(Number(first.length), "element")].filter(Boolean).join(", "));
      else about.push(takes(first));
    }
    return { name, about: about.filter(Boolean).join(" "), wide: members || (first?.array ?? false) };
  });
}

/** What the engine says of a field, as it was asked. */
export function wrongIn(refused: readonly Diagnostic[]): Map<string, string> {
  const said = refused.filter(({ code, label }) => code === "input" && label !== null);
  return new Map(said.map(({ label, message }) => [label!, message.replace(/^.*? in the input, (character \d+: )/, "$1")]));
}

/** A value of an input by its numbers alone, as a field shows it. */
function textOf(value: InputValue): string {
  if (typeof value !== "object") return String(value);
  const { default: rest, ...elements } = value as Record<string, Int>;
  const indices = Object.keys(elements);
  const dense = indices.every((index, at) => index === String(at));
  const parts = indices.map((index) => (dense ? String(elements[index]) : `[${index}] = ${elements[index]}`));
  if (rest !== undefined && String(rest) !== "0") parts.push(parts.length === 0 ? `all ${rest}` : `then ${rest}`);
  return `{${parts.join(", ")}}`;
}

/** The fields for an input. */
export function fieldsOf(input: Input): RunChoice {
  const { values, drawn, stdin } = partsOf(input);
  const names = new Set(drawn.map(({ name }) => name));
  const written = writtenAs(input).filter(({ name, text }) => !names.has(name) && name !== "stdin" && text !== ANY);
  // A list that is cut is no input.
  const isWhole = written.length > 0 && !written.some(({ text }) => text.includes("…"));
  const plain = values.map(([name, value]) => [name, textOf(value)]);
  // Several nodes share a field.
  const fields = new Map<string, string[]>();
  for (const { name, text, field } of written)
    fields.set(field ?? name, [...(fields.get(field ?? name) ?? []), field === undefined ? text : `${name} = ${text}`]);
  return {
    values: Object.fromEntries(isWhole ? [...fields].map(([name, texts]) => [name, texts.join(", ")]) : plain),
    stdin: stdin ?? "",
    nondet: drawn.map(({ value }) => textOf(value)).join(", "),
    ends: true,
  };
}

const isInt = (x: unknown): x is Int => (typeof x === "number" && Number.isSafeInteger(x)) || (typeof x === "string" && DIGITS.test(x));

/** What is wrong with an input from JSON. */
export function wrongInput(data: unknown): string | null {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return "An object from names to values is needed.";
  for (const [name, value] of Object.entries(data)) {
    // What the values are, for people; and a text.
    if (((name === "nondet_names" || name === "written_as") && Array.isArray(value)) || (name === "stdin" && typeof value === "string"))
      continue;
    const parts: unknown[] =
      name === NONDET && Array.isArray(value) ? value : typeof value === "object" && value !== null ? Object.values(value) : [value];
    if (!parts.every(isInt)) return `“${name.slice(0, 30)}”: integers are needed; from 2⁵³ on as strings.`;
  }
  return null;
}

/** Its values, not what an engine has written of them. */
const withoutParts = ({ written_as: _, ...input }: Input): Input => input as Input;

/** The fields for a test as JSON, or what is wrong with it. */
export function readJson(text: string): RunChoice | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return "This is not JSON.";
  }
  return wrongInput(data) ?? fieldsOf(withoutParts(data as Input));
}
