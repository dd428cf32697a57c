// A canvas with a graph that is fitted until a person moves it. One that could not be read so is shown from its top, or where
// the path in view stands.

import { effect, type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Room } from "../graph/fold";
import type { Layout } from "../graph/layout";
import { Layouter, watchRoom } from "../graph/layouter";
import { MANY_EDGES, type Picture } from "../graph/model";
import { GraphView, type Item, type Marks } from "../graph/view";
import { plural } from "../text/numbers";

/** So many edges are laid out too quickly for a message. */
const SHORT_LAYOUT = 300;

interface Props {
  name: string;
  title: ComponentChildren;
  className: string;
  view: Signal<GraphView | null>;
  /** What the places of the picture are. */
  places?: string;
  picture: () => { of: unknown; picture: Picture | null } | null;
  marked: () => Marks;
  /** The smallest scale to begin with; without, all is shown however small. */
  readable?: () => number;
  onSelect: (item: Item | null) => void;
  onOpen?: (call: number) => void;
  /** What its signs mean. */
  legend?: ComponentChildren;
  /** What covers it. */
  children?: ComponentChildren;
}

export function GraphCanvas({
  name,
  title,
  className,
  view: held,
  places = "place",
  picture,
  marked,
  readable,
  onSelect,
  onOpen,
  legend,
  children,
}: Props) {
  const host = useRef<HTMLDivElement>(null);
  const laying = useSignal(0);
  useEffect(() => {
    if (!host.current) return;
    const view = new GraphView(host.current, onSelect, onOpen);
    view.viewport.whole = readable === undefined;
    let at: number | null = null;
    const follow = (): void => {
      if (readable && at !== null) view.reveal({ kind: "edge", id: at }, 200, 1 / 3);
    };
    held.value = view;
    const layouter = new Layouter();
    const room = signal<Room | null>(null);
    const watched = watchRoom(
      host.current,
      () => readable?.() ?? 1,
      (now) => (room.value = now),
    );
    let shown: unknown = null;
    let roomOfShown: Room | null = null;
    let laid: Layout | null = null;
    let blocks: unknown = null;
    const undo = [
      effect(() => {
        const [now, space] = [picture(), room.value];
        if (!now) return;
        const again = now.of === shown;
        const alike = now.picture?.blocks === blocks;
        if (again && alike && (space === roomOfShown || !blocks)) return;
        blocks = now.picture?.blocks;
        shown = now.of;
        roomOfShown = space;
        const { picture: drawn } = now;
        if (drawn && drawn.edges.length <= MANY_EDGES) {
          laying.value = drawn.edges.length;
          void layouter.ask(drawn, space).then((layout) => {
            if (now.of !== shown || space !== roomOfShown || drawn.blocks !== blocks) return;
            laying.value = 0;
            if (!layout || (again && alike && layout === laid)) return;
            laid = layout;
            // Another graph is another picture: what was moved in the last one says nothing of it.
            if (!again) view.viewport.chosen = "opened";
            view.show(drawn, layout);
            follow();
            view.svg.setAttribute(
              "aria-label",
              `${name}: ${plural(drawn.nodes.length, places)}, ${plural(drawn.edges.length, "edge")}. Arrow keys move the picture, plus and minus zoom, F fits, Enter visits the entry.`,
            );
          });
        }
      }),
      effect(() => {
        const marks = marked();
        view.mark(marks);
        if (marks.at === at) return;
        at = marks.at;
        follow();
      }),
      effect(() => {
        if (!readable) return;
        view.viewport.readable = readable();
        watched.measure();
        view.viewport.open();
        follow();
      }),
    ];
    return () => {
      undo.forEach((f) => f());
      watched.end();
      layouter.cancel();
      view.remove();
      held.value = null;
    };
  }, []);
  return (
    <div class={`canvas ${className}`} ref={host}>
      {title && <p class="canvas-name">{title}</p>}
      {!children && legend}
      {children}
      {!children && laying.value > 0 && (
        <div class="cover">{laying.value > SHORT_LAYOUT && <p>Laying out {plural(laying.value, "edge")}…</p>}</div>
      )}
    </div>
  );
}
