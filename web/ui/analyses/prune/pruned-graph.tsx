// The transformed graph S′ beside S: like the control-flow graph, its places named by location and occurrence.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { MANY_EDGES, type Picture, pictureOf } from "../../graph/model";
import type { GraphView, Item, Marks } from "../../graph/view";
import { Details } from "../../parts/details";
import { GraphCanvas } from "../../parts/graph-canvas";
import { marks } from "../../parts/marks";
import { Term } from "../../parts/term";
import { Viewing } from "../../parts/viewing";
import { change, current, pathIn, selected } from "../../state/state";
import { plural } from "../../text/numbers";
import { drawChoice } from "../paths/settings";
import { pathsView } from "../paths/views";
import { living, type PruneRun, prunedSelected, pruneRun, redSelected } from "./red-state";

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

/** The edges of S′ along a path of S, as far as S′ has it, and the place where they end. */
function along({ document }: PruneRun, path: readonly number[]): { edges: number[]; end: number } {
  const graph = document?.graph;
  const ways = new Map(graph?.edges.map(({ from, edge }, id) => [`${from} ${edge}`, id]));
  const edges: number[] = [];
  let end = 0;
  for (const edge of path) {
    const way = ways.get(`${end} ${edge}`);
    if (way === undefined) break;
    edges.push(way);
    end = graph?.edges[way]?.to ?? end;
  }
  return { edges, end };
}

/** What is emphasised in S′: what was chosen, and the path in view as far as it goes. */
function prunedMarks(): Marks {
  const run = pruneRun.value;
  const none: Marks = { selected: prunedSelected.value, line: null, path: [], beyond: [], at: null, dead: null };
  const shown = pathIn("prune");
  if (!run?.document || !shown || !current(shown.run) || !current(run)) return none;
  const { edges } = along(run, shown.path.edges);
  return { ...none, path: edges, at: edges[shown.step] ?? null };
}

/** Chooses a place or an edge of S′; its location is then shown in the other graphs and in the program. */
function choose(item: Item | null): void {
  const run = pruneRun.peek();
  if (!run?.document) return;
  const { places, edges } = run.document.graph;
  prunedSelected.value = item;
  const vertex = item?.kind === "node" ? places[item.id]?.vertex : null;
  redSelected.value = vertex != null && living.peek().has(vertex) ? vertex : null;
  if (!current(run)) return;
  selected.in("prune").value = !item
    ? null
    : item.kind === "node"
      ? { kind: "node", id: places[item.id]!.location }
      : { kind: "edge", id: edges[item.id]!.edge };
}

/** What is known at a place of S′. */
export function PlaceFacts({ run }: { run: PruneRun }) {
  const graph = run.document?.graph;
  if (!graph) return null;
  const label = (edge: number): string => run.cfg.edges[edge]?.label ?? "";
  const item = prunedSelected.value;
  const at = item?.kind === "node" ? item.id : item && graph.edges[item.id]?.from;
  const place = at == null ? undefined : graph.places[at];
  if (place) {
    const line = run.cfg.locations.find((other) => other.id === place.location)?.line;
    const cut = graph.cut.filter((edge) => edge.from === at).map((edge) => label(edge.edge));
    const name = (id: number | null): string => {
      const other = id === null ? undefined : graph.places[id];
      return !other ? "?" : other.index === null ? String(other.location) : `${other.location}·${other.index}`;
    };
    const way = item?.kind === "edge" ? graph.edges[item.id] : undefined;
    return (
      <Details onClose={() => choose(null)}>
        {way && (
          <p>
            <b>Edge {way.edge}</b> of S, from {name(way.from)} to {name(way.to)}: <code>{label(way.edge)}</code>
          </p>
        )}
        <p>
          <b>Place {name(at ?? null)}</b> of <Term of="S′" /> · black vertex (location) {place.location}
          {line !== undefined && place.location !== run.cfg.exit && ` · line ${line}`}
          {place.index === null && (place.holds.length > 0 ? " · behind the red part" : " · not unfolded: taken over from S")}
        </p>
        <p>
          Holds here: <code>{place.holds.length > 0 ? place.holds.join(" ∧ ") : "true"}</code>
        </p>
        {cut.length > 0 && (
          <p>
            Cut here:{" "}
            {cut.map((text, i) => (
              <code key={i}>{text}</code>
            ))}
          </p>
        )}
      </Details>
    );
  }
  const shown = pathIn("prune");
  if (shown && current(shown.run) && current(run)) {
    const { edges, end } = along(run, shown.path.edges);
    const next = shown.path.edges[edges.length];
    const last = graph.places[end];
    return (
      <p class="details note" role="status">
        {next === undefined || !last
          ? `${shown.title} is in S′ in full.`
          : `${shown.title} is not in S′: after ${plural(edges.length, "edge")}, at ${last.location}·${last.index ?? ""}, its next edge is cut: ${label(next)}.`}
      </p>
    );
  }
  return null;
}

const views = { S: signal<GraphView | null>(null), pruned: signal<GraphView | null>(null) };

const original = (): { of: unknown; picture: Picture | null } | null => {
  const run = pruneRun.value;
  return run && { of: run.cfg, picture: pictureOf(run.cfg) };
};
const transformed = (): { of: unknown; picture: Picture | null } | null => {
  const run = pruneRun.value;
  return run?.document ? { of: run.document, picture: prunedPicture(run) } : null;
};
/** Something chosen in S is chosen everywhere. */
const chooseInS = (item: Item | null): void => {
  const run = pruneRun.peek();
  prunedSelected.value = null;
  redSelected.value = null;
  if (run && current(run)) selected.in("prune").value = item;
};

/** Paths are drawn in one place, the Paths tab. */
function drawFromPruned(): void {
  pathsView.value = "draw";
  drawChoice.change({ from: "pruned" });
  change({ tab: "paths" });
}

const size = (name: ComponentChildren, places: number | undefined) => (
  <>
    {name}
    {places !== undefined && `: ${plural(places, "place")}`}
  </>
);

/** What can be done with the pictures, for the pane's bar. */
export function PrunedTools({ run }: { run: PruneRun }) {
  return (
    <span class="tools">
      <button type="button" title="Draw paths from S′, each equally likely, in the Paths tab" onClick={drawFromPruned}>
        Draw paths…
      </button>
      <Viewing
        of={[views.S.value?.viewport, views.pruned.value?.viewport]}
        save={{
          picture: () => views.pruned.value?.exported() ?? null,
          name: `${run.cfg.program}-${run.cfg.function}-pruned`,
          title: "all of S′",
        }}
      />
    </span>
  );
}

export function PrunedGraph({ run }: { run: PruneRun }) {
  const edges = run.document?.graph.edges.length ?? 0;
  const covered = !run.document || edges > MANY_EDGES;
  return (
    <div class="pruned-pane">
      <div class="beside">
        <GraphCanvas
          name="S"
          title={size("S", run.cfg.locations.length)}
          className="of-S"
          view={views.S}
          picture={original}
          marked={() => marks("prune")}
          onSelect={chooseInS}
        />
        <GraphCanvas
          name="S′"
          title={size(<Term of="S′" />, run.document?.graph.places.length)}
          className="of-pruned"
          view={views.pruned}
          picture={transformed}
          marked={prunedMarks}
          onSelect={choose}
        >
          {covered ? (
            <div class="cover">
              <p>
                {run.document
                  ? `S′ has ${plural(edges, "edge")}: too many for a picture.`
                  : run.state === "running"
                    ? "S′ is made when the red–black graph is complete."
                    : "There is no S′: the run did not come to its end."}
              </p>
            </div>
          ) : null}
        </GraphCanvas>
      </div>
    </div>
  );
}
