// The answer, in the bar: sentences whose numbers lead to where they come from.

import { useComputed } from "@preact/signals";
import { answer, answerPaths, sharedCover, sources } from "../analyses/background";
import { coverAll } from "../analyses/cover/session";
import { compareChoice } from "../analyses/cover/settings";
import { choose, part as coverPart, coverRun, isChosen } from "../analyses/cover/state";
import { countPaths } from "../analyses/paths/session";
import { pathsRun } from "../analyses/paths/state";
import { pathsView } from "../analyses/paths/views";
import { isPredicting } from "../analyses/report/predicting";
import { showChosen } from "../parts/rows";
import { change, current, programShown, refused, stale } from "../state/state";
import { branchSentences, chosenSentence, type Leads, pathSentences, type Sentence, targetSentence, verdicts } from "../text/headline";

/** The Cover tab with a run of the program as it is, and of what never runs the first. */
function showCover(infeasible: boolean): void {
  if (!coverRun.value?.document || !current(coverRun.value)) void (sharedCover() ?? coverAll());
  coverPart.value = "list";
  compareChoice.change({ shown: false });
  change({ tab: "cover" });
  const first = coverRun.value?.document?.infeasible.find(({ library }) => !library);
  if (!infeasible || !first) return;
  if (!isChosen("statement", first.edge)) choose("statement", first.edge);
  showChosen(".cover-pane li.chosen", ".kind");
}

function showPaths(): void {
  pathsView.value = "count";
  change({ tab: "paths" });
  if (pathsRun.value && !current(pathsRun.value)) void countPaths();
}

function Said({ sentence, go }: { sentence: Sentence; go: (to: Leads) => void }) {
  return (
    <span class="sentence">
      {sentence.map(({ text, to }, at) =>
        to ? (
          <button key={at} type="button" class={`link to-${to}`} onClick={() => go(to)}>
            {text}
          </button>
        ) : (
          text
        ),
      )}
    </span>
  );
}

const failed = (what: string, reason: string): Sentence => [{ text: `${what}: not worked out, ${reason.replace(/\.$/, "")}.` }];

export function AnswerLine() {
  const now = useComputed(() => (answer.value && !stale.value ? answer.value : null)).value;
  if (!now || refused.value) return null;
  const { of, branches, paths } = now;
  const go = (to: Leads): void => {
    programShown.value = false;
    if (to === "paths") showPaths();
    else showCover(to === "infeasible");
  };
  const known = sources();
  const begun = known.covers.length + known.runs.length + known.branches.length > 0;
  // What Cover has settled is settled, whatever was stopped then.
  const progress =
    branches.state === "waiting" ? "running" : branches.state === "cancelled" && known.covers.length === 0 ? "cancelled" : "done";
  const counted = answerPaths()?.document;
  const sentences = [
    ...(branches.state === "failed"
      ? [failed("Branches", branches.reason)]
      : begun || branches.state !== "waiting"
        ? branchSentences(of.cfg, known, progress)
        : []),
    ...(paths.state === "failed"
      ? [failed("Paths", paths.reason)]
      : paths.state === "done" && counted
        ? pathSentences(of.cfg, counted, verdicts(of.cfg, known))
        : []),
    ...chosenSentence(of.cfg),
    ...targetSentence(of.cfg),
  ];
  const done = branches.state !== "waiting" && paths.state !== "waiting";
  const isHidden = isPredicting.value;
  return (
    <p class="answer" role="status" aria-label="Answer" data-answer data-answer-done={done || undefined} data-done={done}>
      {isHidden && "The answer is hidden: guess in the Report which branches can run. "}
      {(isHidden ? chosenSentence(of.cfg) : sentences).map((sentence, at) => (
        <>
          <Said key={at} sentence={sentence} go={go} />{" "}
        </>
      ))}
      {!isHidden && branches.state === "waiting" && !begun && <span class="muted">Which branches can run?</span>}
      {!isHidden && branches.state !== "waiting" && paths.state === "waiting" && <span class="muted">Which paths can run?</span>}
    </p>
  );
}
