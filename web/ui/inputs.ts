// Test inputs in one readable line: `la = 0, lb = 1`, `a = {0: 3, 4: -1, else 0}`, `nondet() = 4, 0`.

import type { Input, InputValue, Number as Int } from "./protocol";

/** Arrays written as C's initialisers when their indices are 0, 1, 2 … and few; as a map otherwise. */
function value(v: InputValue): string {
  if (typeof v !== "object") return String(v);
  const indices = Object.keys(v).filter((key) => key !== "default");
  indices.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  const rest = v["default"];
  const dense = indices.every((index, i) => index === String(i));
  const parts = indices.map((index) => (dense ? String(v[index]) : `[${index}] = ${v[index]}`));
  if (rest !== undefined) parts.push(indices.length === 0 ? `all ${rest}` : `then ${rest}`);
  return `{${parts.join(", ")}}`;
}

export function inputText(input: Input): string {
  const { nondet, ...values } = input as { nondet?: Int[] } & Record<string, InputValue>;
  const parts = Object.entries(values).map(([name, v]) => `${name} = ${value(v as InputValue)}`);
  if (nondet && nondet.length > 0) parts.push(`nondet() = ${nondet.join(", then ")}`);
  return parts.length > 0 ? parts.join(", ") : "no inputs: it always runs";
}
