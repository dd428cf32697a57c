// A sentence on each step of Branches, in the paper's terms; code stands in backquotes.

import type { BranchesStep, CfgDocument } from "../../protocol";
import { plural } from "../../text/numbers";
import type { Model } from "./work";

/** An edge, by its line and what it says. */
export function edgeName({ edges }: CfgDocument, id: number): string {
  const edge = edges[id];
  return edge ? `line ${edge.line} \`${edge.label}\`` : `edge ${id}`;
}

/** The first of many, and how many more there are. */
function listed(all: readonly string[], most = 3): string {
  const more = all.length - most;
  return all.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const CALLED: Record<string, string> = {
  cover: "Cover is",
  reach: "Reach is",
  prune: "Prune is",
  values: "Values along different ways are",
  guesses: "Guesses from runs are",
  "wide guesses": "Guesses from runs, more of them, are",
  backward: "Weakest preconditions are",
};

const code = (text: string): string => `\`${text}\``;
const states = (count: number): string => plural(count, "wanted state");

/** What a step did; `before` is the model before it. */
export function sentence({ did, reached, taken, wanted, removed, touched }: BranchesStep, before: Model, cfg: CfgDocument): string {
  const edge = (id: number): string => edgeName(cfg, id);
  const condition = (state: number): string => code(before.wanted.get(state)?.condition ?? "?");
  const there = (known: readonly string[]): string => known.map(code).join(" and ");
  switch (did.kind) {
    case "run": {
      const { origin } = did;
      const run = `run ${did.run + 1}`;
      const input = { given: "on an input to begin with", zeros: "on zeros", diverted: "", found: "on the input that was found" }[
        origin.from
      ];
      const begins =
        origin.from === "diverted"
          ? `Forward: a known run is diverted along ${edge(origin.edge)}. That is ${run}, which`
          : `R${run.slice(1)}, ${input},`;
      const new_ = [
        reached.length > 0 ? `reaches ${plural(reached.length, "location")}` : "",
        taken.length > 0 ? `takes ${plural(taken.length, "edge")}` : "",
      ]
        .filter(Boolean)
        .join(" and ");
      const says =
        touched.length > 0
          ? ` It satisfies ${states(touched.length)} and goes another way: ${touched.length === 1 ? "that condition says" : "those conditions say"} too little.`
          : "";
      return `${begins} ${new_ ? `${new_} for the first time` : "takes nothing new"}.${says}`;
    }
    case "coarsened": {
      const targets = [...new Set(removed.flatMap((state) => before.wanted.get(state)?.target ?? []))];
      return `Coarsening: the run takes ${listed(targets.map(edge))}, so ${states(removed.length)} ${removed.length === 1 ? "goes" : "go"}.`;
    }
    case "targets":
      return `Wanted from now on, as the run passes by: ${listed(wanted.map(({ target }) => edge(target)))}.`;
    case "backward": {
      const [state] = wanted;
      const weak = did.exact ? "" : " It is an over-approximation.";
      const begins = touched.length > 0 ? " An execution may begin so: no proof uses it." : "";
      const on = state?.target === did.edge ? "" : `, on the way to ${edge(state?.target ?? -1)}`;
      return `Backward: ${code(state?.condition ?? "?")} is wanted before ${edge(did.edge)}${on}.${weak}${begins}`;
    }
    case "gone": {
      const { why } = did;
      const is = did.before === "false" ? "" : `${code(did.before)} `;
      const behind = before.wanted.get(did.to);
      const begin = `The frontier edge is gone: to ${behind?.way === null ? "take" : "get along"} ${edge(did.edge)}${behind?.way === null ? "" : ` to ${condition(did.to)}`},`;
      if (why.is === "large") return `${begin} a condition would be needed that is too large. That is left open.`;
      if (why.is === "wanted")
        return `${begin} ${is}would be needed, which is part of what is wanted there already: ${listed(why.states.map(condition), 2)}${why.known.length > 0 ? `, as ${there(why.known)} holds there` : ""}.`;
      return `${begin} ${is ? `${is}would be needed, which` : "what would be needed"} contradicts ${why.known.length > 0 ? `${there(why.known)}, which always holds there` : "itself"}.`;
    }
    case "proved":
      return `No frontier edge is left on the way to ${edge(did.edge)}: no execution satisfies ${did.states.length === 1 ? "the condition" : `the ${did.states.length} conditions`} wanted there. Negated, ${did.states.length === 1 ? "it is" : "they are"} an invariant.`;
    case "excluded":
      return `Proved infeasible: no execution takes ${listed(did.edges.map(edge))}.${removed.length > 0 ? ` Coarsening: ${states(removed.length)} ${removed.length === 1 ? "goes" : "go"}.` : ""}`;
    case "asked": {
      const found = [
        did.inputs > 0 ? plural(did.inputs, "input") : "",
        did.shown > 0 ? `${plural(did.shown, "thing")} that hold${did.shown === 1 ? "s" : ""} of every execution` : "",
      ].filter(Boolean);
      return `${CALLED[did.who] ?? did.who} asked for what is left${did.effort > 0 ? `, with more effort (${did.effort})` : ""}: ${found.join(" and ") || "nothing"}.`;
    }
  }
}
