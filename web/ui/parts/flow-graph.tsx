// The control-flow graph beside a list of what was found in it.

import { computed, type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { blockPicture, type Opened } from "../graph/blocks";
import { MANY_EDGES, type Picture } from "../graph/model";
import type { GraphView, Marks } from "../graph/view";
import type { CfgDocument } from "../protocol";
import { known, projector, selected } from "../state/state";
import { GraphCanvas } from "./graph-canvas";

export interface Shown {
  of: unknown;
  picture: Picture | null;
}

/** The calls that are opened in the pictures of a graph. */
const opened = signal<{ of: CfgDocument | null; calls: Opened }>({ of: null, calls: new Set() });
const NONE: Opened = new Set();
const openedNow = (cfg: CfgDocument): Opened => (opened.value.of === cfg ? opened.value.calls : NONE);

/** Opens one call, all of them, or closes them. */
export function openCalls(which: number | "all" | "none"): void {
  const cfg = known.peek()?.cfg;
  if (!cfg) return;
  const now = openedNow(cfg);
  const calls = which === "all" ? which : which === "none" || now === "all" ? NONE : new Set([...now, which]);
  opened.value = { of: cfg, calls };
}
/** Whether all calls are opened. */
export const allOpened = computed(() => opened.value.of === known.value?.cfg && opened.value.calls === "all");

const shown = computed((): Shown | null => {
  const cfg = known.value?.cfg;
  return cfg ? { of: cfg, picture: blockPicture(cfg, openedNow(cfg)) } : null;
});

/** The graph as it is, the same in all tabs. */
export const plain = (): Shown | null => shown.value;

/** The graph with what is known of its edges: in boxes beside them, else before their labels. */
export function signed(of: unknown, known: (edge: number) => { sign: string; name: string } | null): Shown | null {
  const picture = plain()?.picture;
  if (!picture) return null;
  const edges = picture.edges.map((edge) => {
    const is = known(edge.id);
    if (!is) return edge;
    const side = edge.holds === null ? "" : edge.holds ? ", true side" : ", false side";
    const text = `${is.sign} ${edge.text}`;
    return {
      ...edge,
      text,
      sign: is.sign,
      name: `${text}, ${is.name}: edge ${edge.id} from ${edge.from} to ${edge.to}${edge.text === edge.full ? "" : `, in full ${edge.full}`}${side}, line ${edge.line}`,
    };
  });
  return { of, picture: { ...picture, edges } };
}

/** Text is 13 pixels high, in a lecture 18. */
export const readable = (): number => (projector.value ? 18 / 13 : 1);

export function FlowGraph({
  tab,
  view,
  picture = () => plain(),
  marked,
  legend,
}: {
  tab: string;
  view: Signal<GraphView | null>;
  picture?: () => Shown | null;
  marked: () => Marks;
  legend?: ComponentChildren;
}) {
  const many = (known.value?.cfg.edges.length ?? 0) > MANY_EDGES;
  return (
    <GraphCanvas
      name="Control-flow graph"
      title=""
      className={`of-${tab}`}
      places="location"
      view={view}
      picture={picture}
      marked={marked}
      onSelect={(item) => (selected.in(tab).value = item)}
      readable={readable}
      onOpen={openCalls}
      legend={legend}
    >
      {many ? (
        <div class="cover">
          <p>Too many edges for a picture.</p>
        </div>
      ) : null}
    </GraphCanvas>
  );
}
