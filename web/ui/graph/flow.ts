// Facts of a control-flow graph for the layout of its basic blocks: order, loops, dominators. Blocks that no path reaches hang below the
// entry.

export interface Arrow {
  from: number;
  to: number;
}

export interface Loop {
  header: number;
  body: ReadonlySet<number>;
}

export interface Flow<A extends Arrow> {
  /** Reverse postorder of a depth-first search. */
  order: readonly number[];
  out: ReadonlyMap<number, readonly A[]>;
  into: ReadonlyMap<number, readonly A[]>;
  /** The edges back to a vertex that the search has not left yet. */
  back: ReadonlySet<A>;
  /** Natural loops, the outermost first. */
  loops: readonly Loop[];
  /** Immediate dominators; the entry has none. */
  dominator: ReadonlyMap<number, number>;
}

function search<A extends Arrow>(roots: readonly number[], out: ReadonlyMap<number, readonly A[]>): { order: number[]; back: Set<A> } {
  const back = new Set<A>();
  const left: number[] = [];
  const state = new Map<number, "open" | "left">();
  // Unreachable vertices come after all others in reverse postorder, so they are searched first.
  const trees = roots.map((root) => {
    const tree: number[] = [];
    if (state.has(root)) return tree;
    const stack = [{ at: root, next: 0 }];
    state.set(root, "open");
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const arrow = out.get(top.at)?.[top.next++];
      if (!arrow) {
        state.set(top.at, "left");
        tree.push(top.at);
        stack.pop();
      } else if (state.get(arrow.to) === "open") {
        back.add(arrow);
      } else if (!state.has(arrow.to)) {
        state.set(arrow.to, "open");
        stack.push({ at: arrow.to, next: 0 });
      }
    }
    return tree;
  });
  for (const tree of trees.reverse()) left.push(...tree);
  return { order: left.reverse(), back };
}

function naturalLoops<A extends Arrow>(back: ReadonlySet<A>, into: ReadonlyMap<number, readonly A[]>): Loop[] {
  const bodies = new Map<number, Set<number>>();
  for (const { from, to } of back) {
    const body = bodies.get(to) ?? new Set([to]);
    bodies.set(to, body);
    const stack = [from];
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (body.has(at)) continue;
      body.add(at);
      for (const arrow of into.get(at) ?? []) stack.push(arrow.from);
    }
  }
  return [...bodies].map(([header, body]) => ({ header, body })).sort((a, b) => b.body.size - a.body.size);
}

/** After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). */
function dominators<A extends Arrow>(order: readonly number[], into: ReadonlyMap<number, readonly A[]>): Map<number, number> {
  const place = new Map(order.map((v, i) => [v, i]));
  const entry = order[0]!;
  const above = new Map<number, number>([[entry, entry]]);
  const meet = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (place.get(x)! > place.get(y)!) x = above.get(x)!;
      while (place.get(y)! > place.get(x)!) y = above.get(y)!;
    }
    return x;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const v of order.slice(1)) {
      const before = (into.get(v) ?? []).flatMap(({ from }) => (above.has(from) ? [from] : []));
      const now = before.length === 0 ? entry : before.reduce(meet);
      if (above.get(v) === now) continue;
      above.set(v, now);
      changed = true;
    }
  }
  above.delete(entry);
  return above;
}

export function flowOf<A extends Arrow>(vertices: readonly number[], arrows: readonly A[], entry: number): Flow<A> {
  const out = new Map<number, A[]>(vertices.map((v) => [v, []]));
  const into = new Map<number, A[]>(vertices.map((v) => [v, []]));
  for (const arrow of arrows) {
    out.get(arrow.from)!.push(arrow);
    into.get(arrow.to)!.push(arrow);
  }
  const { order, back } = search([entry, ...vertices.filter((v) => v !== entry)], out);
  return { order, out, into, back, loops: naturalLoops(back, into), dominator: dominators(order, into) };
}
