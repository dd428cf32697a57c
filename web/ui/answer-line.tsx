// The answer, in the bar: sentences whose numbers lead to where they come from.

import { useComputed } from "@preact/signals";
import { type Leads, type Sentence, branchSentences, chosenSentence, pathSentences } from "./answer";
import { type Answer, answer } from "./answering";
import { coverAll } from "./analyses/cover/session";
import { compareChoice, coverChoice } from "./analyses/cover/settings";
import { choose, coverRun, isChosen, part as coverPart } from "./analyses/cover/state";
import { countPaths } from "./analyses/paths/session";
import { pathsRun } from "./analyses/paths/state";
import { pathsView } from "./analyses/paths/views";
import { showChosen } from "./parts/rows";
import { change, current, programShown, stale } from "./state";

/** The Cover tab with the answer's own run, where its settings are the same; else with one of the tab's settings. */
function showCover({ cover }: Answer, infeasible: boolean): void {
  const same = JSON.stringify(coverChoice.value) === JSON.stringify(coverChoice.defaults);
  const there = coverRun.value?.document != null && current(coverRun.value);
  if (!there && same && cover.state === "done") {
    coverRun.value = cover.run;
  } else if (!there && coverRun.value !== null) {
    void coverAll();
  }
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
      {sentence.map(({ text, to }, at) => (to ? <button key={at} type="button" class={`link to-${to}`} onClick={() => go(to)}>{text}</button> : text))}
    </span>
  );
}

const failed = (what: string, reason: string): Sentence => [{ text: `${what}: not worked out, ${reason.replace(/\.$/, "")}.` }];

export function AnswerLine() {
  const now = useComputed(() => (answer.value && !stale.value ? answer.value : null)).value;
  if (!now) return null;
  const { of, cover, paths } = now;
  const go = (to: Leads): void => {
    programShown.value = false;
    if (to === "paths") showPaths();
    else showCover(now, to === "infeasible");
  };
  const sentences = [
    ...(cover.state === "done" ? branchSentences(of.cfg, cover.document) : cover.state === "failed" ? [failed("Branches", cover.reason)] : []),
    ...(paths.state === "done" ? pathSentences(of.cfg, paths.document) : paths.state === "failed" ? [failed("Paths", paths.reason)] : []),
    ...chosenSentence(of.cfg),
  ];
  return (
    <p class="answer" role="status" aria-label="Answer" data-done={cover.state !== "waiting" && paths.state !== "waiting"}>
      {sentences.map((sentence, at) => <><Said key={at} sentence={sentence} go={go} />{" "}</>)}
      {cover.state === "waiting" && <span class="muted">Which branches can run?</span>}
      {cover.state !== "waiting" && paths.state === "waiting" && <span class="muted">Which paths can run?</span>}
    </p>
  );
}
