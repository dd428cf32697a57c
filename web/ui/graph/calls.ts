// Inlined calls of a control-flow graph, each of which can be drawn as one row: the edges of the called function between the location where
// the call begins and the location behind it.

import { type Picture, type PictureEdge, type PictureNode, shortened } from "./model";

export interface Call {
  /** The location where it is entered. */
  id: number;
  /** The functions whose text is executed, in order. */
  names: string[];
  edges: number[];
  /** Locations that nothing outside of it comes to. */
  inner: ReadonlySet<number>;
  /** Where it is left: mostly one location, and the error. */
  outs: number[];
}

/** What is shorter stays open. */
const SHORTEST = 3;
/** Of names. */
const MOST_LETTERS = 26;

export const isEnd = ({ shape }: Pick<PictureNode, "shape">): boolean => shape === "exit" || shape === "error";

/** Those of the edges that hang together, not by ends alone. */
function parts(called: readonly PictureEdge[], ends: ReadonlySet<number>): PictureEdge[][] {
  const above = new Map<number, number>();
  const top = (at: number): number => {
    let [all, one] = [at, at];
    while (above.has(all)) all = above.get(all)!;
    while (above.has(one)) {
      const next = above.get(one)!;
      above.set(one, all);
      one = next;
    }
    return all;
  };
  for (const { from, to } of called) {
    const [a, b] = [top(from), top(to)];
    if (a !== b && !ends.has(to)) above.set(b, a);
  }
  const found = new Map<number, PictureEdge[]>();
  for (const edge of called) {
    const part = found.get(top(edge.from)) ?? [];
    found.set(top(edge.from), part);
    part.push(edge);
  }
  return [...found.values()];
}

/** The calls that are one row each: they are entered at one location, and where they are left they are over. Those in an opened call are
 * found in it. */
export function callsOf(picture: Picture, opened: ReadonlySet<number> = new Set()): Call[] {
  const into = new Map<number, PictureEdge[]>(picture.nodes.map(({ id }) => [id, []]));
  const out = new Map<number, PictureEdge[]>(picture.nodes.map(({ id }) => [id, []]));
  for (const edge of picture.edges) {
    into.get(edge.to)?.push(edge);
    out.get(edge.from)?.push(edge);
  }
  const nodes = new Map(picture.nodes.map((node) => [node.id, node]));
  const ends = new Set(picture.nodes.filter(isEnd).map(({ id }) => id));
  const callOf = (edges: readonly PictureEdge[]): Call | null => {
    const own = new Set(edges);
    const locations = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
    const enters = (id: number): boolean => nodes.get(id)!.entry || into.get(id)!.some((edge) => !own.has(edge));
    const rest = locations.filter((id) => out.get(id)!.some((edge) => own.has(edge)));
    const outs = locations.filter((id) => !rest.includes(id));
    const entered = rest.filter(enters);
    if (entered.length !== 1 || outs.length === 0 || edges.length < SHORTEST) return null;
    if (rest.some((id) => out.get(id)!.some((edge) => !own.has(edge)))) return null;
    return {
      id: entered[0]!,
      names: [...new Set(edges.flatMap(({ called }) => called ?? []))],
      edges: edges.map(({ id }) => id),
      inner: new Set(rest.filter((id) => id !== entered[0])),
      outs,
    };
  };
  const within = (edges: readonly PictureEdge[]): Call[] =>
    parts(edges, ends).flatMap((part): Call[] => {
      const call = callOf(part);
      if (!call) return [];
      if (!opened.has(call.id)) return [call];
      const caller = part.find(({ from }) => from === call.id)?.called;
      return within(part.filter(({ called }) => called !== caller));
    });
  return within(picture.edges.filter(({ called }) => called !== undefined));
}

/** What the row says: the functions' names as far as there is room for them. */
export function callText({ names, edges }: Call): string {
  const [first = "", ...others] = names;
  const second = others[0] !== undefined && first.length + others[0].length <= MOST_LETTERS ? `, ${others[0]}` : "";
  const more = others.length > (second === "" ? 0 : 1);
  return `▸ ${shortened(first, MOST_LETTERS)}${second}${more ? " …" : ""} (${edges.length})`;
}
