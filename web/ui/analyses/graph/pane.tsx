// The Graph tab: the control-flow graph, its toolbar, legend, details of the selection, and the same as a list.

import { effect, signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Room } from "../../graph/fold";
import { Layouter, watchRoom } from "../../graph/layouter";
import { MANY_EDGES, type Picture, pictureKey } from "../../graph/model";
import { GraphView, type Item } from "../../graph/view";
import { Details } from "../../parts/details";
import { allOpened, openCalls, plain, readable } from "../../parts/flow-graph";
import { marks } from "../../parts/marks";
import { SavePicture } from "../../parts/save-picture";
import { selected as chosen, known, pathIn, stale } from "../../state/state";
import { grouped, plural } from "../../text/numbers";
import { EdgeList } from "./edge-list";
import { Legend } from "./legend";

type Stage =
  | { kind: "none" }
  | { kind: "laying"; edges: number }
  | { kind: "ask"; edges: number }
  | { kind: "drawn" }
  | { kind: "stopped"; edges: number };

const stage = signal<Stage>({ kind: "none" });
export const asList = signal(false);
const selected = chosen.in("graph");

/** Couples the drawn graph to the state; returns how to undo it. */
function attach(host: HTMLElement, hold: (parts: { view: GraphView; draw: () => void; stop: () => void }) => void): () => void {
  const view = new GraphView(host, (item) => (selected.value = item), openCalls);
  const layouter = new Layouter();
  const room = signal<Room | null>(null);
  const watched = watchRoom(host, readable, (now) => (room.value = now));
  let shownKey = "";
  const draw = async (picture: Picture, key: string): Promise<void> => {
    const edges = picture.edges.length;
    stage.value = { kind: "laying", edges };
    const layout = await layouter.ask(picture, room.peek());
    if (!layout) {
      // Either a newer picture took over, whose own call reports, or a person stopped this one.
      if (shownKey === key) stage.value = { kind: "stopped", edges };
      return;
    }
    stage.value = { kind: "drawn" };
    view.show(picture, layout);
  };
  const currentPicture = (): Picture | null => plain()?.picture ?? null;
  hold({
    view,
    draw: () => {
      const picture = currentPicture();
      if (picture) void draw(picture, shownKey);
    },
    stop: () => layouter.cancel(),
  });
  const undo = [
    effect(() => {
      const picture = currentPicture();
      if (!picture) return;
      const space = room.value;
      const key = `${picture.blocks && space ? `${space.width} ${space.height}` : ""}${pictureKey(picture)}`;
      if (key === shownKey) return;
      shownKey = key;
      if (picture.edges.length > MANY_EDGES) {
        layouter.cancel();
        stage.value = { kind: "ask", edges: picture.edges.length };
      } else {
        void draw(picture, key);
      }
    }),
    effect(() => view.mark(marks("graph"))),
    effect(() => {
      const at = pathIn("graph");
      const edge = at?.path.edges[at.step];
      if (edge !== undefined) view.reveal({ kind: "edge", id: edge });
    }),
    effect(() => {
      view.viewport.readable = readable();
      watched.measure();
      view.viewport.open();
    }),
  ];
  return () => {
    undo.forEach((f) => f());
    watched.end();
    layouter.cancel();
    view.remove();
  };
}

function About({ item }: { item: Item | null }) {
  const cfg = known.value?.cfg;
  if (!cfg || !item) return null;
  const close = (): void => void (selected.value = null);
  if (item.kind === "edge") {
    const edge = cfg.edges.find((e) => e.id === item.id);
    if (!edge) return null;
    const side = edge.holds === null ? "" : edge.holds ? " · taken when the decision holds" : " · taken when it does not hold";
    return (
      <Details onClose={close}>
        <b>Edge {edge.id}</b> from {edge.from} to {edge.to} · {edge.kind}
        {side} · line {edge.line} <code>{edge.label}</code>
      </Details>
    );
  }
  const location = cfg.locations.find((l) => l.id === item.id);
  if (!location) return null;
  const into = cfg.edges.filter((e) => e.to === item.id).length;
  const out = cfg.edges.filter((e) => e.from === item.id).length;
  const role =
    item.id === cfg.error
      ? "error: a failed assertion or abort"
      : item.id === cfg.exit
        ? "exit"
        : location.loop_header
          ? "loop header"
          : item.id === cfg.entry
            ? "entry"
            : "";
  return (
    <Details onClose={close}>
      <b>Location {item.id}</b>
      {role && ` · ${role}`}
      {item.id !== cfg.exit && item.id !== cfg.error && ` · line ${location.line}`} · {plural(into, "edge")} in, {grouped(out)} out
      {location.dominator !== null && ` · every way here passes ${location.dominator}`}
    </Details>
  );
}

export function View() {
  const host = useRef<HTMLDivElement>(null);
  const parts = useSignal<{ view: GraphView; draw: () => void; stop: () => void } | null>(null);
  useEffect(() => (host.current ? attach(host.current, (made) => (parts.value = made)) : undefined), []);
  const found = known.value;
  const now = stage.value;
  const viewport = parts.value?.view.viewport;
  const name = found ? `${found.cfg.program}-${found.cfg.function}` : "graph";
  const list = asList.value;
  return (
    <div class="pane graph-pane">
      <div class="pane-bar">
        <p class="summary muted">
          {found
            ? `${plural(found.cfg.locations.length, "location")}, ${plural(found.cfg.edges.length, "edge")}${found.cfg.reducible ? "" : ", irreducible"}`
            : "No graph yet."}
        </p>
        <span class="tools">
          <button type="button" aria-pressed={list} onClick={() => (asList.value = !list)}>
            List
          </button>
          <span class="viewing" hidden={list}>
            {plain()?.picture?.blocks?.calls !== undefined && (
              <button
                type="button"
                title="Whether calls are open, or one row each"
                aria-pressed={allOpened.value}
                onClick={() => openCalls(allOpened.value ? "none" : "all")}
              >
                Calls
              </button>
            )}
            <span class="group">
              <button type="button" aria-label="Zoom out" title="Zoom out (−)" onClick={() => viewport?.zoom(0.8)}>
                −
              </button>
              <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => viewport?.zoom(1.25)}>
                +
              </button>
              <button type="button" title="Show everything (F)" onClick={() => viewport?.fit()}>
                Fit
              </button>
            </span>
            <SavePicture picture={() => parts.value?.view.exported() ?? null} name={name} title="the whole graph" />
          </span>
        </span>
      </div>
      <div class="picture">
        <div class={`canvas${stale.value ? " stale" : ""}`} ref={host} hidden={list} data-stage={now.kind}>
          {stale.value && found && <p class="stale-note">of an earlier text</p>}
          {now.kind !== "drawn" && now.kind !== "none" && (
            <div class="cover">
              {now.kind === "laying" && now.edges > 300 && (
                <>
                  <p>Laying out {plural(now.edges, "edge")}…</p>
                  <button type="button" onClick={() => parts.value?.stop()}>
                    Stop
                  </button>
                </>
              )}
              {(now.kind === "ask" || now.kind === "stopped") && (
                <>
                  <p>
                    {now.kind === "ask"
                      ? `This graph has ${plural(now.edges, "edge")}: its picture takes a while to lay out and is hard to read.`
                      : "The layout was stopped."}
                  </p>
                  <button type="button" class="primary" onClick={() => (asList.value = true)}>
                    Show it as a list
                  </button>
                  <button type="button" onClick={() => parts.value?.draw()}>
                    Lay it out
                  </button>
                </>
              )}
            </div>
          )}
        </div>
        {list ? <EdgeList /> : <Legend />}
        <About item={selected.value} />
      </div>
    </div>
  );
}
