// S beside the automaton of the explanation that is shown. In S paths are built by clicking edges.

import { MANY_EDGES, type Picture } from "../../graph/model";
import type { Item, Marks } from "../../graph/view";
import { Choice } from "../../parts/choice";
import { openCalls, plain, readable } from "../../parts/flow-graph";
import { GraphCanvas } from "../../parts/graph-canvas";
import { marks } from "../../parts/marks";
import { Viewing } from "../../parts/viewing";
import { current, known, notice, pathIn, selected } from "../../state/state";
import { plural } from "../../text/numbers";
import { automatonPicture, letter, walk } from "./automaton";
import {
  asBuilt,
  built,
  choosePicture,
  explainedRun,
  other,
  otherWalk,
  shownAutomaton,
  shownPicture,
  shownReason,
  shownView,
  views,
} from "./state";

const automaton = (): { of: unknown; picture: Picture | null } | null => {
  const [run, shown] = [explainedRun.value, shownAutomaton.value];
  return run && shown ? { of: shown, picture: automatonPicture(shown, run.cfg) } : null;
};

const NONE: Marks = { selected: null, line: null, path: [], beyond: [], at: null, dead: null };

/** In S: the path that is built or explained, and by which edges a path that is built can go on. */
function marksInS(): Marks {
  if (shownView.value === "other")
    return { ...NONE, path: other.edges.value, at: other.edges.value.at(-1) ?? null, next: other.next.value.map((edge) => edge.id) };
  if (shownView.value !== "build") return marks("explain");
  const edges = built.edges.value;
  const explained = explainedRun.value;
  const judged = explained?.path && explained.edges.join() === edges.join() ? marks("explain") : NONE;
  return { ...judged, selected: null, line: null, path: edges, beyond: [], next: built.next.value.map((edge) => edge.id) };
}

/** In the automaton: the states that the path in view walks through. */
function marksInAutomaton(): Marks {
  const [run, shown] = [explainedRun.value, shownAutomaton.value];
  if (!run || !shown) return NONE;
  if (shownView.value === "other") {
    const walked = otherWalk.value;
    return walked && walked.transitions.length > 0 ? { ...NONE, path: walked.transitions, at: walked.transitions.at(-1) ?? null } : NONE;
  }
  const view = pathIn("explain");
  if (!view || view.run !== run) return NONE;
  const { transitions } = walk(shown, run.edges);
  // A transition of the path's step; steps behind the accepting one have none.
  return { ...NONE, path: transitions, at: transitions[view.step] ?? null };
}

function clickS(item: Item | null): void {
  const builder = shownView.peek() === "build" ? built : shownView.peek() === "other" ? other : null;
  if (!builder || item?.kind !== "edge") {
    selected.in("explain").value = item;
    return;
  }
  if (!builder.add(item.id)) {
    const from = builder.end.peek();
    notice.value = {
      tone: "info",
      text: `Edge ${item.id} cannot follow: the path stands at location ${from}. The edges that can are drawn bold.`,
    };
  }
}

function clickAutomaton(item: Item | null): void {
  const run = explainedRun.peek();
  const shown = shownAutomaton.peek();
  if (!run || !shown || !current(run)) return;
  const edge = item?.kind === "edge" ? shown.transitions[item.id]?.[1] : undefined;
  const location = item?.kind === "node" ? shown.locations?.[item.id] : undefined;
  selected.in("explain").value =
    edge !== undefined ? { kind: "edge", id: edge } : location !== undefined ? { kind: "node", id: location } : null;
}

/** The states walked so far, as letters. */
export function Walked() {
  const [walked, run] = [otherWalk.value, explainedRun.value];
  const shown = shownAutomaton.value;
  if (!walked || !run || !shown) return null;
  const word = (number: number): string => {
    const edge = run.cfg.edges[shown.transitions[number]?.[1] ?? -1];
    return edge ? letter(edge) : "?";
  };
  return (
    <p class="walked">
      <code>{walked.states.map((state, i) => (i === 0 ? `${state}` : ` –${word(walked.transitions[i - 1]!)}→ ${state}`)).join("")}</code>
    </p>
  );
}

/** What can be done with the pictures, for the pane's bar. Where only one of them has room, `which` says that it is to be chosen. */
export function GraphTools({ which, shown, onShow }: { which: boolean; shown: boolean; onShow: () => void }) {
  const choose = (id: "S" | "automaton"): void => {
    choosePicture(id);
    onShow();
  };
  return (
    <span class="tools">
      {which && (
        <Choice
          className="which"
          label="Picture"
          all={[
            { id: "S", title: "S", hint: "The control-flow graph" },
            { id: "automaton", title: "Automaton" },
          ]}
          chosen={shown ? shownPicture.value : null}
          onChoose={choose}
        />
      )}
      {shown && (
        <Viewing
          of={[views.S.value?.viewport, views.automaton.value?.viewport]}
          save={{
            picture: () => views.automaton.value?.exported() ?? null,
            name: `${known.value?.cfg.program ?? "program"}-${known.value?.cfg.function ?? ""}-automaton`,
            title: "the automaton",
          }}
        >
          {(!which || shownPicture.value === "automaton") && (
            <button
              type="button"
              class="as-built"
              title="The automaton as it was built, not minimised"
              aria-pressed={asBuilt.value}
              onClick={() => (asBuilt.value = !asBuilt.value)}
            >
              As built
            </button>
          )}
        </Viewing>
      )}
    </span>
  );
}

export function Graphs() {
  const run = explainedRun.value;
  const reason = shownReason.value;
  const shown = shownAutomaton.value;
  const many = (shown?.transitions.length ?? 0) > MANY_EDGES;
  const picture = shownPicture.value;
  const locations = known.value?.cfg.locations.length;
  return (
    <div class="pruned-pane explain-graphs" data-shown={picture}>
      <div class="beside">
        <GraphCanvas
          name="S"
          title={locations === undefined ? "S" : `S: ${plural(locations, "location")}`}
          className="of-S"
          places="location"
          view={views.S}
          picture={() => plain()}
          readable={readable}
          marked={marksInS}
          onSelect={clickS}
          onOpen={openCalls}
        />
        <GraphCanvas
          name="Automaton"
          title={shown ? `Automaton: ${plural(shown.states, "state")}, ${plural(shown.transitions.length, "transition")}` : "Automaton"}
          className="of-automaton"
          places="state"
          view={views.automaton}
          picture={automaton}
          readable={readable}
          marked={marksInAutomaton}
          onSelect={clickAutomaton}
        >
          {!reason || many ? (
            <div class="cover">
              <p>
                {many
                  ? "Too many transitions for a picture."
                  : run?.path?.verdict === "feasible"
                    ? "A feasible path has no automaton."
                    : "The automaton of all paths that fail for the same reason."}
              </p>
            </div>
          ) : null}
        </GraphCanvas>
      </div>
    </div>
  );
}
