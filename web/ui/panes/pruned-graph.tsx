// The transformed graph S′: like the control-flow graph, its places named by location and occurrence.

import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Layouter } from "../graph/layouter";
import { MANY_EDGES, type Picture, pictureOf } from "../graph/model";
import { type Item, GraphView } from "../graph/view";
import { plural } from "../numbers";
import { type PruneRun, current, pruneRun, selected } from "../state";

function prunedPicture({ document, cfg }: PruneRun): Picture | null {
  if (!document) return null;
  const black = pictureOf(cfg);
  const byId = new Map(black.nodes.map((node) => [node.id, node]));
  const nodes = document.graph.places.flatMap(({ location, index }, id) => {
    const node = byId.get(location);
    if (!node) return [];
    const text = index === null ? String(location) : `${location}·${index}`;
    return [{ ...node, id, text, entry: id === 0, width: Math.max(node.height, 18 + text.length * 9) + (node.shape === "loop" ? 10 : 0) }];
  });
  const edges = document.graph.edges.flatMap(({ from, edge, to }, id) => {
    const original = black.edges[edge];
    return original && to !== null ? [{ ...original, id, from, to }] : [];
  });
  return { nodes, edges };
}

function Known({ run, item }: { run: PruneRun; item: Item | null }) {
  const graph = run.document?.graph;
  if (!graph) return null;
  if (!item) return <p class="details muted">S has {plural(run.document!.original.locations, "location")} and {plural(run.document!.original.edges, "edge")}, S′ has {graph.places.length} and {graph.edges.length}; {plural(graph.cut.length, "edge is", "edges are")} cut.</p>;
  const at = item.kind === "node" ? item.id : graph.edges[item.id]?.from;
  const place = at === undefined ? undefined : graph.places[at];
  if (!place) return null;
  const cut = graph.cut.filter((edge) => edge.from === at).map((edge) => run.cfg.edges[edge.edge]?.label ?? "");
  return (
    <div class="details" role="status">
      <p><b>Location {place.location}</b>{place.index !== null ? `, red vertex ${place.location}·${place.index}` : ", of the original: not unfolded"}. Known here: <code>{place.holds.length > 0 ? place.holds.join(" ∧ ") : "nothing"}</code></p>
      {cut.length > 0 && <p>Cut here: {cut.map((label, i) => <code key={i}>{label}</code>)}</p>}
    </div>
  );
}

/** S, for comparison; what is chosen there is chosen everywhere. */
function Original({ run }: { run: PruneRun }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const view = new GraphView(host.current, (item) => {
      const now = pruneRun.peek();
      if (now && current(now)) selected.value = item;
    });
    const layouter = new Layouter();
    const undo = [
      effect(() => view.mark({ selected: selected.value, line: null, path: [], beyond: [], at: null, dead: null })),
    ];
    if (run.cfg.edges.length <= MANY_EDGES) {
      const picture = pictureOf(run.cfg);
      void layouter.ask(picture).then((layout) => layout && view.show(picture, layout));
    }
    return () => {
      undo.forEach((f) => f());
      layouter.cancel();
      view.svg.remove();
    };
  }, [run.cfg]);
  return <div class="canvas original" ref={host}><p class="canvas-name">S</p></div>;
}

export function PrunedGraph({ run }: { run: PruneRun }) {
  const host = useRef<HTMLDivElement>(null);
  const item = useSignal<Item | null>(null);
  const view = useSignal<GraphView | null>(null);
  const tooMany = (run.document?.graph.edges.length ?? 0) > MANY_EDGES;
  useEffect(() => {
    if (!host.current) return;
    const made = new GraphView(host.current, (chosen) => {
      item.value = chosen;
      const now = pruneRun.peek();
      if (!now?.document || !current(now)) return;
      const { places, edges } = now.document.graph;
      selected.value = !chosen ? null : chosen.kind === "node" ? { kind: "node", id: places[chosen.id]!.location } : { kind: "edge", id: edges[chosen.id]!.edge };
    });
    view.value = made;
    const layouter = new Layouter();
    let shown: unknown = null;
    const undo = [
      effect(() => {
        const now = pruneRun.value;
        if (!now?.document || now.document === shown || now.document.graph.edges.length > MANY_EDGES) return;
        shown = now.document;
        item.value = null;
        const picture = prunedPicture(now);
        if (picture) void layouter.ask(picture).then((layout) => layout && made.show(picture, layout));
      }),
      effect(() => made.mark({ selected: item.value, line: null, path: [], beyond: [], at: null, dead: null })),
    ];
    return () => {
      undo.forEach((f) => f());
      layouter.cancel();
      made.svg.remove();
    };
  }, []);
  return (
    <div class="red-pane">
      <div class="toolbar">
        <span class="spring" />
        <span class="group">
          <button type="button" aria-label="Zoom out" onClick={() => view.value?.viewport.zoom(0.8)}>−</button>
          <button type="button" aria-label="Zoom in" onClick={() => view.value?.viewport.zoom(1.25)}>+</button>
          <button type="button" onClick={() => view.value?.viewport.fit()}>Fit</button>
        </span>
      </div>
      <div class="beside">
        <Original run={run} />
        <div class="canvas" ref={host}>
          <p class="canvas-name">S′</p>
          {tooMany && <div class="cover"><p>S′ has {plural(run.document!.graph.edges.length, "edge")}: too many for a picture.</p></div>}
          {!run.document && <div class="cover"><p>{run.state === "running" ? "S′ is made when the red–black graph is complete." : "There is no S′: the run did not come to its end."}</p></div>}
        </div>
      </div>
      <Known run={run} item={item.value} />
    </div>
  );
}
