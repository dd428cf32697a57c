// Automata of infeasible paths: as pictures, and walked along by paths. Pure.

import { type Picture, type PictureEdge, type PictureNode, shortened } from "../../graph/model";
import type { CfgDocument, CfgEdge, ExplainAutomaton } from "../../protocol";

/** An edge as the regular expressions have it: its line, and for a decision its side. */
export const letter = ({ line, holds }: Pick<CfgEdge, "line" | "holds">): string => `${line}${holds === null ? "" : holds ? "t" : "f"}`;

const LONGEST = 22;

/** States are numbered from 0 in a circle each; the accepting one has the shape of the exit. Edges are numbered as the
 * transitions are. */
export function automatonPicture({ states, initial, accepting, transitions, locations }: ExplainAutomaton, cfg: CfgDocument): Picture {
  const ends = new Set(accepting);
  const nodes = Array.from({ length: states }, (_, id): PictureNode => {
    const text = String(id);
    const roles = [
      id === initial ? "initial" : "",
      ends.has(id) ? "accepting" : "",
      locations ? `at location ${locations[id]}` : "",
    ].filter(Boolean);
    const name = [`State ${id}`, ...roles].join(", ");
    return {
      id,
      text,
      shape: ends.has(id) ? "exit" : "plain",
      entry: id === initial,
      line: 0,
      width: Math.max(34, 16 + text.length * 9),
      height: 34,
      name,
    };
  });
  const edges = transitions.flatMap(([from, number, to], id): PictureEdge[] => {
    const edge = cfg.edges[number];
    if (!edge) return [];
    const full = `${edge.line} ${edge.label}`;
    const text = shortened(full, LONGEST);
    const side = edge.holds === null ? "" : edge.holds ? ", true side" : ", false side";
    const name = `From state ${from} to ${to}: ${text === full ? full : `${text} in full ${full}`}${side}`;
    return [{ id, from, to, kind: edge.kind, holds: edge.holds, line: edge.line, text, full, name }];
  });
  return { nodes, edges };
}

/** How far an automaton follows a path. */
export interface WalkedPath {
  /** The states it is in, from the initial one on, and the numbers of the transitions between them. */
  states: number[];
  transitions: number[];
  /** So many edges of the path were accepted: whatever begins with them cannot run. `null` if it is not accepted. */
  accepted: number | null;
  /** Whether it came to an edge for which there is no transition. */
  stuck: boolean;
}

export function walk({ initial, accepting, transitions }: ExplainAutomaton, edges: readonly number[]): WalkedPath {
  const ways = new Map(transitions.map(([from, edge], number) => [`${from} ${edge}`, number]));
  const ends = new Set(accepting);
  const walked: WalkedPath = { states: [initial], transitions: [], accepted: ends.has(initial) ? 0 : null, stuck: false };
  let at = initial;
  for (const edge of edges) {
    if (walked.accepted !== null) break;
    const number = ways.get(`${at} ${edge}`);
    if (number === undefined) {
      walked.stuck = true;
      break;
    }
    at = transitions[number]![2];
    walked.states.push(at);
    walked.transitions.push(number);
    if (ends.has(at)) walked.accepted = walked.transitions.length;
  }
  return walked;
}

/** A condition of the inputs that is a single bound, with the sign that the program's own text has: of whole numbers
 * `3 <= x` and `2 < x` say the same. Everything else is left as it is. */
export function asWritten(condition: string, text: string): string {
  // A decision that is false whatever the inputs are says nothing of them.
  if (condition === "false") return text;
  // Of a negated one the sign is turned round.
  if (text.startsWith("!(") || !/[^<>=!-][<>](?![<>=])/.test(` ${text}`)) return condition;
  const [left, right, ...more] = condition.split(" <= ");
  if (left === undefined || right === undefined || more.length > 0 || /[<>=!∧∨&|]/.test(left + right)) return condition;
  if (/^-?\d+$/.test(left)) return `${BigInt(left) - 1n} < ${right}`;
  if (/^-?\d+$/.test(right)) return `${left} < ${BigInt(right) + 1n}`;
  return condition;
}
