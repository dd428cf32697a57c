// The linked structures after a step of a run: nodes with their members, the pointers to them, and what the step changed.

import type { CfgDocument, InputValue, Number as Int, RunBlock, RunBlockItem, RunDocument, RunMember, RunStructure } from "../../protocol";

/** What a scalar holds: a value, a node, the null pointer, or nothing that the program gave it. */
export type Held =
  | { kind: "value"; text: string }
  | { kind: "node"; text: string; to: string; dangling: boolean }
  | { kind: "null" | "unset"; text: string };

export interface Member {
  name: string;
  array: string;
  /** Whether it is a pointer to a node. */
  pointer: boolean;
  held: Held;
  changed: boolean;
}

export interface ObjectNode {
  id: string;
  title: string;
  members: Member[];
  freed: boolean;
  /** Whether no variable leads to it. */
  lost: boolean;
  /** Whether this step freed it. */
  changed: boolean;
}

export interface PointerVariable {
  name: string;
  held: Held;
  changed: boolean;
}

export interface Objects {
  pointers: PointerVariable[];
  nodes: ObjectNode[];
  /** How many nodes are not among them, since there are many. */
  left: number;
}

/** A pointer that leads from a member of a node to a node. */
export interface Link {
  from: string;
  member: string;
  /** The number of the member in its structure. */
  order: number;
  to: string;
}

/** So many scalars of the elements of a block are drawn. */
export const MANY_ELEMENTS = 12;

/** So many scalars of an array in an element are drawn. */
const MANY_SCALARS = 6;

/** More nodes are drawn only where variables lead to them. */
export const MANY_NODES = 60;

type Values = Map<string, InputValue>;
export type Document = Pick<RunDocument, "variables" | "steps_shown"> & { structures?: RunStructure[] };
export type Flow = Pick<CfgDocument, "functions" | "edges">;

const idOf = (structure: string, number: Int): string => `${structure} ${number}`;
/** The index of a member of a node in the array that holds it. */
const indexOf = ({ count, which }: RunMember, number: Int): string => String(count * Number(number) - (count - 1) + which);
const element = (value: InputValue | undefined, index: string): Int | undefined =>
  typeof value === "object" ? (value[index] ?? value.default) : undefined;

/** A run that is walked along from its start. */
export class Walk {
  readonly values: Values = new Map();
  /** The nodes that a variable has led to so far. */
  readonly seen = new Set<string>();
  /** What the last step changed: names, of elements with their index. */
  changed = new Set<string>();
  readonly structures: RunStructure[];
  /** Variables that hold pointers, by name. */
  readonly pointers = new Map<string, RunStructure>();
  /** Variables that hold addresses of such pointers in nodes. */
  readonly cells = new Map<string, RunStructure>();
  /** Members and arrays that do. */
  readonly #members = new Map<string, { to: RunStructure | undefined; of: RunStructure; count: number }>();
  /** Arrays with scalars of the elements of blocks, by what they lead to. */
  readonly #items = new Map<string, RunStructure | undefined>();
  /** The variables of called functions that have a value in the current call. */
  readonly #alive = new Set<string>();
  /** By the variable of a called function, that function. */
  readonly #home = new Map<string, number>();
  readonly #calls: number[] = [];
  #at = 0;

  constructor(
    readonly document: Document,
    readonly flow: Flow,
  ) {
    this.structures = document.structures ?? [];
    const named = new Map(this.structures.map((structure) => [structure.name, structure]));
    for (const of of this.structures) {
      for (const name of of.pointers) this.pointers.set(name, of);
      for (const name of of.cells) this.cells.set(name, of);
      for (const { array, leads_to, count } of of.members) this.#members.set(array, { to: named.get(leads_to ?? ""), of, count });
      for (const { array, leads_to } of of.block?.items ?? []) this.#items.set(array, named.get(leads_to ?? ""));
    }
    const functions = new Map(flow.functions.map((name, at) => [name, at]));
    for (const name of [...this.pointers.keys(), ...this.cells.keys()]) {
      const home = functions.get(name.slice(0, Math.max(0, name.indexOf("."))));
      if (home !== undefined) this.#home.set(name, home);
    }
    for (const { name, start } of document.variables) this.values.set(name, typeof start === "object" ? { ...start } : start);
    for (const { of, to } of this.held()) this.#see(of, to);
  }

  isAlive(name: string): boolean {
    return !this.#home.has(name) || this.#alive.has(name);
  }

  /** The nodes that variables lead to now, as often as they do. */
  *held(): Generator<{ of: RunStructure; to: Int; name: string }> {
    for (const [name, of] of this.pointers) {
      if (!this.isAlive(name)) continue;
      const value = this.values.get(name);
      const all = typeof value === "object" ? Object.values(value) : [value ?? 0];
      for (const to of all) if (Number(to) > 0) yield { of, to: to!, name };
    }
    for (const [name, of] of this.cells) {
      const value = this.values.get(name);
      if (this.isAlive(name) && typeof value !== "object" && Number(value) > 0) yield { of, to: this.#cell(of, value!).node, name };
    }
  }

  /** The node with a pointer, and the pointer's member. */
  #cell(of: RunStructure, cell: Int): { node: Int; member: string } {
    const members = of.cell_members;
    const at = Number(cell) + members.length - 1;
    return { node: Math.floor(at / members.length), member: members[at % members.length]! };
  }

  /** The nodes to which the members of a node lead. */
  *next(structure: RunStructure, number: Int): Generator<{ member: string; order: number; of: RunStructure; to: Int }> {
    for (const [order, member] of structure.members.entries()) {
      const of = this.#members.get(member.array)?.to;
      const to = element(this.values.get(member.array), indexOf(member, number));
      if (of && to !== undefined && Number(to) > 0) yield { member: member.name, order, of, to };
    }
    if (!structure.block || ![...structure.block.items].some(({ array }) => this.#items.get(array))) return;
    for (const [order, { name, item, index }] of this.#scalars(structure.block, number).entries()) {
      const of = this.#items.get(item.array);
      const to = element(this.values.get(item.array), index);
      if (of && item.count === 1 && to !== undefined && Number(to) > 0) yield { member: name, order, of, to };
    }
  }

  #length({ lengths }: RunBlock, number: Int): number {
    return Number(element(this.values.get(lengths), String(number)) ?? 0);
  }

  /** The first scalars of a block's elements in each of its arrays, as many as are drawn. */
  #scalars(block: RunBlock, number: Int): { name: string; item: RunBlockItem; index: string }[] {
    const { items, moved, stride } = block;
    const row = BigInt(number) + BigInt(moved === null ? 0 : (element(this.values.get(moved), String(number)) ?? 0));
    const drawn = Math.min(this.#length(block, number), Math.max(1, Math.floor(MANY_ELEMENTS / items.length)));
    return Array.from({ length: drawn }, (_, at) =>
      items.map((item) => ({
        name: `[${at}]${item.name}`,
        item,
        index: String((row * BigInt(stride) + BigInt(at)) * BigInt(item.count)),
      })),
    ).flat();
  }

  /** These nodes, and those to which they lead. */
  reached(from: Iterable<{ of: RunStructure; to: Int }>): Map<string, { of: RunStructure; number: Int }> {
    const found = new Map<string, { of: RunStructure; number: Int }>();
    const open = [...from];
    for (let at = 0; at < open.length; at++) {
      const { of, to } = open[at]!;
      const id = idOf(of.name, to);
      if (found.has(id)) continue;
      found.set(id, { of, number: to });
      open.push(...this.next(of, to));
    }
    return found;
  }

  #see(of: RunStructure, to: Int): void {
    if (Number(to) <= 0 || this.seen.has(idOf(of.name, to))) return;
    for (const id of this.reached([{ of, to }]).keys()) this.seen.add(id);
  }

  /** Takes the next step. */
  step(): void {
    const { edge, change, also } = this.document.steps_shown[this.#at++]!;
    const home = this.flow.edges[edge]?.function ?? null;
    const top = this.#calls.at(-1);
    if (home !== null && home !== top) {
      const below = this.#calls.lastIndexOf(home);
      if (below < 0) this.#calls.push(home);
      // The calls above it have ended, and so have the lives of their variables.
      else for (const ended of this.#calls.splice(below + 1)) this.#end((name) => this.#home.get(name) === ended);
    }
    const results = [...this.changed].filter((name) => /\.result(#\d+)?$/.test(name));
    for (const result of results) {
      const [call, copy] = result.split(".result");
      this.#end((name) => name.startsWith(`${call}.`) && (name.split("#")[1] ?? "") === (copy ?? "").slice(1));
    }
    this.changed = new Set();
    for (const one of change === null ? [] : [change, ...also]) {
      const { name } = one;
      if (this.#home.has(name)) this.#alive.add(name);
      const old = this.values.get(name);
      if (one.kind === "variable") this.values.set(name, one.value);
      else if (one.kind === "array") this.values.set(name, Object.fromEntries(one.elements.map((value, at) => [String(at), value])));
      else if (one.kind === "contents") this.values.set(name, { ...one.contents });
      else if (typeof old === "object") old[one.index] = one.value;
      this.changed.add(one.kind === "element" ? `${name} ${one.index}` : name);
      this.#notice(name, one.kind === "element" ? one.index : null);
    }
  }

  #end(is: (name: string) => boolean): void {
    for (const name of this.#alive) if (is(name)) this.#alive.delete(name);
  }

  #notice(name: string, index: string | null): void {
    const value = this.values.get(name);
    const pointer = this.pointers.get(name);
    const member = this.#members.get(name);
    const now = index === null ? (typeof value === "object" ? Object.values(value) : [value]) : [element(value, index)];
    const cells = this.cells.get(name);
    const node = (count: number): number => Math.floor((Number(index) + count - 1) / count);
    const items = this.#items.get(name);
    if (pointer) for (const to of now) this.#see(pointer, to ?? 0);
    else if (items) for (const to of now) this.#see(items, to ?? 0);
    else if (cells && typeof value !== "object" && Number(value) > 0) this.#see(cells, this.#cell(cells, value!).node);
    else if (member?.to && index !== null && this.seen.has(idOf(member.of.name, node(member.count)))) this.#see(member.to, now[0] ?? 0);
    else if (member?.to && index === null) for (const { of, to } of this.held()) this.#see(of, to);
  }

  isFreed(structure: RunStructure, number: Int): boolean {
    return structure.freed !== null && Number(element(this.values.get(structure.freed), String(number)) ?? 0) !== 0;
  }

  title(structure: RunStructure, number: Int): string {
    return structure.names[String(number)] ?? `${structure.name}${number}`;
  }

  #held(to: RunStructure | undefined, value: Int | undefined, text: (value: Int) => string): Held {
    if (value === undefined) return { kind: "unset", text: "?" };
    if (!to) return { kind: "value", text: text(value) };
    if (Number(value) < 0) return { kind: "unset", text: "?" };
    if (Number(value) === 0) return { kind: "null", text: "NULL" };
    return { kind: "node", text: this.title(to, value), to: idOf(to.name, value), dangling: this.isFreed(to, value) };
  }

  /** The pointers of members that lead to nodes. */
  links(): Link[] {
    const found: Link[] = [];
    for (const id of this.seen) {
      const [of, number] = this.#node(id);
      for (const { member, order, of: target, to } of this.next(of, number))
        found.push({ from: id, member, order, to: idOf(target.name, to) });
    }
    return found;
  }

  #node(id: string): [RunStructure, string] {
    const at = id.lastIndexOf(" ");
    return [this.structures.find(({ name }) => name === id.slice(0, at))!, id.slice(at + 1)];
  }

  /** The variables that there are, of arrays their elements, each with its structure and its value. */
  entries(): { name: string; of: RunStructure; value: Int | undefined; changed: boolean }[] {
    return [...this.pointers].flatMap(([name, of]) => {
      const value = this.values.get(name);
      if (!this.isAlive(name)) return [];
      if (typeof value !== "object") return [{ name, of, value, changed: this.changed.has(name) }];
      const indices = Object.keys(value).filter((index) => index !== "default");
      return indices.slice(0, MANY_NODES).map((index) => ({
        name: `${name}[${index}]`,
        of,
        value: value[index],
        changed: this.changed.has(name) || this.changed.has(`${name} ${index}`),
      }));
    });
  }

  /** The variables with addresses of pointers in nodes. */
  #cellEntries(): PointerVariable[] {
    return [...this.cells].flatMap(([name, of]): PointerVariable[] => {
      const value = this.values.get(name);
      if (!this.isAlive(name) || typeof value === "object") return [];
      const held = this.#held(of, value, String);
      if (held.kind !== "node") return [{ name, held, changed: this.changed.has(name) }];
      const { node, member } = this.#cell(of, value!);
      const text = `${this.title(of, node)}.${member}`;
      const dangling = this.isFreed(of, node);
      return [{ name, held: { kind: "node", text, to: idOf(of.name, node), dangling }, changed: this.changed.has(name) }];
    });
  }

  /** The elements of a block, with the last one as the number of all where there are many. */
  #elements(block: RunBlock, number: Int): Member[] {
    const scalars = this.#scalars(block, number);
    const drawn = scalars.map(({ name, item, index }): Member => {
      const { array, count } = item;
      const value = this.values.get(array);
      const addresses = this.document.variables.find((variable) => variable.name === array)?.addresses;
      const text = (own: Int | undefined): string => (own === undefined ? "?" : (addresses?.[String(own)] ?? String(own)));
      const changed = this.changed.has(`${array} ${index}`);
      const to = this.#items.get(array);
      if (count === 1) {
        const own = element(value, index);
        return { name, array, pointer: to !== undefined, held: this.#held(to, own, text), changed };
      }
      const all = Array.from({ length: Math.min(count, MANY_SCALARS) }, (_, at) =>
        text(element(value, String(BigInt(index) + BigInt(at)))),
      );
      const held: Held = all.every((one) => one === "?")
        ? { kind: "unset", text: "?" }
        : { kind: "value", text: `{${all.join(", ")}${count > all.length ? ", …" : ""}}` };
      return { name, array, pointer: false, held, changed };
    });
    const length = this.#length(block, number);
    if (length * block.items.length <= drawn.length) return drawn;
    const held: Held = { kind: "value", text: String(length) };
    return [...drawn, { name: "length", array: block.lengths, pointer: false, held, changed: false }];
  }

  /** What there is now. */
  objects(): Objects {
    const reached = this.reached(this.held());
    // In the order in which they came.
    const all = new Map(
      [...this.seen].map((id) => [id, this.#node(id)] as const).map(([id, [of, number]]) => [id, { of, number: number as Int }]),
    );
    const drawn = all.size > MANY_NODES ? new Map([...reached].slice(0, MANY_NODES)) : all;
    const addresses = new Map(this.document.variables.map((variable) => [variable.name, variable.addresses]));
    const nodes = [...drawn].map(([id, { of, number }]): ObjectNode => {
      const isNew = of.first_new !== null && Number(number) >= of.first_new;
      const members = of.block
        ? this.#elements(of.block, number)
        : of.members.map((member): Member => {
            const { name, array } = member;
            const { to } = this.#members.get(array)!;
            const value = this.values.get(array);
            const index = indexOf(member, number);
            const own = typeof value === "object" ? (value[index] ?? (isNew ? undefined : (value.default ?? 0))) : undefined;
            const text = (value: Int): string => addresses.get(array)?.[String(value)] ?? String(value);
            return {
              name,
              array,
              pointer: to !== undefined,
              held: this.#held(to, own, text),
              changed: this.changed.has(`${array} ${index}`),
            };
          });
      const freed = this.isFreed(of, number);
      const changed = of.freed !== null && this.changed.has(`${of.freed} ${number}`);
      return { id, title: this.title(of, number), members, freed, lost: !freed && !reached.has(id), changed };
    });
    const pointers = this.entries().map(
      ({ name, of, value, changed }): PointerVariable => ({ name, held: this.#held(of, value, String), changed }),
    );
    return { pointers: [...pointers, ...this.#cellEntries()], nodes, left: all.size - drawn.size };
  }
}

/** The objects after so many steps. */
export function objectsAfter(document: Document, flow: Flow, steps: number): Objects {
  const walk = new Walk(document, flow);
  for (let at = 0; at < Math.min(steps, document.steps_shown.length); at++) walk.step();
  return walk.objects();
}

const heldText = (held: Held): string =>
  held.kind === "node" ? `→ ${held.text}${held.dangling ? " (freed)" : ""}` : held.kind === "unset" ? "never set" : held.text;

/** The picture in words, a line for each variable and node. */
export function inWords({ pointers, nodes }: Objects): string[] {
  return [
    ...pointers.map(({ name, held }) => `${name} ${held.kind === "node" ? "" : "= "}${heldText(held)}`),
    ...nodes.map(({ title, members, freed, lost }) => {
      const parts = members.map(({ name, held }) => `${name} ${held.kind === "node" ? "" : "= "}${heldText(held)}`);
      const state = freed ? ["freed"] : lost ? ["no variable leads to it"] : [];
      return `${title}: ${[...state, ...parts].join(", ")}`;
    }),
  ];
}
