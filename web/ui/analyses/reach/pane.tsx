// The Reach tab: what it takes to get to a line, from backbones and loop summaries; an input that does, or that there is none.

import { useRef } from "preact/hooks";
import type { Marks } from "../../graph/view";
import { Choice } from "../../parts/choice";
import { FlowGraph } from "../../parts/flow-graph";
import { marks } from "../../parts/marks";
import { useColumns } from "../../parts/room";
import { RunState } from "../../parts/run-state";
import { Viewing } from "../../parts/viewing";
import { current, known } from "../../state/state";
import { rowKeys } from "../paths/draw";
import { Backbones, Condition, Summaries, Verdict } from "./answer";
import { Ask, ReachControls } from "./form";
import { reachTarget } from "./session";
import { answerOf, part, reachRun, target, VERDICTS, view } from "./state";

/** What is looked at, and the edges that are the target. */
const marked = (): Marks => {
  const here = marks("reach", target.value);
  const document = target.value && reachRun.value?.document;
  return document ? { ...here, kinds: new Map(document.target.edges.map((edge) => [edge, `v-${VERDICTS[document.verdict].kind}`])) } : here;
};

const PARTS = [
  { id: "list", title: "Answer" },
  { id: "picture", title: "Graph" },
] as const;

export function View() {
  const run = reachRun.value;
  const answer = run && answerOf(run);
  const host = useRef<HTMLDivElement>(null);
  const columns = useColumns(host).value;
  // Without a target there is one only if the program has an error call. If not, nothing went wrong: there is no query yet.
  const refused = run?.state === "failed" ? run.refused[0] : undefined;
  const asks = run === null || (refused !== undefined && run.asked.target === null);
  return (
    <div class="pane prune-pane reach-pane" role="region" aria-label="Reach" aria-busy={run?.state === "running"} ref={host}>
      <div class="pane-bar">
        <Ask />
        {columns === 1 && <Choice label="Part" all={PARTS} chosen={part.value} onChoose={(id) => (part.value = id)} />}
        {(columns > 1 || part.value === "picture") && (
          <span class="tools">
            <Viewing
              of={[view.value?.viewport]}
              save={{
                picture: () => view.value?.exported() ?? null,
                name: `${known.value?.cfg.function ?? "graph"}-reach`,
                title: "the graph",
              }}
            />
          </span>
        )}
      </div>
      <div class="top">
        {refused && !asks && (
          <p class="mark bad" role="alert">
            ✕ {refused.message}
          </p>
        )}
        {run && !refused && <RunState run={run} current={current(run)} again={() => void reachTarget()} />}
        {asks && (
          <p class="muted">
            Click a line of the program, or name a label or a function that is called, and press Reach: is there an input that gets there,
            and what do all such inputs have in common?
          </p>
        )}
      </div>
      <div class="picture pair" data-columns={columns} data-part={part.value}>
        <div class="side-list scroll" tabIndex={0} role="region" aria-label="Answer" onKeyDown={rowKeys}>
          {run && answer && (
            <>
              <Verdict run={run} />
              <Condition answer={answer} decided={run.document !== null} k={run.asked.k} />
              <Summaries answer={answer} />
              <Backbones run={run} answer={answer} />
            </>
          )}
        </div>
        <FlowGraph tab="reach" view={view} marked={marked} />
      </div>
    </div>
  );
}

export const Controls = ReachControls;
