// What follows the page's signals and the window's events: the analysis of the program, the answer in the bar, and the shown tab.

import { computed, effect, untracked } from "@preact/signals";
import { answerNoMore, answerNow } from "../analyses/background";
import { analysisOf } from "../analyses/registry";
import { examples } from "../editor/examples";
import { fromTarget } from "../editor/files";
import { followBeside, shownBeside } from "../session/beside";
import { followHistory } from "../session/history";
import { openLink, returnToStep } from "../session/opening";
import { besideAsKept } from "../session/permalink";
import { comeBack, goTo, keepText, onAnalyse, onFiles, removeCoverage, show, textOf } from "../session/program";
import { keepSession, visit, visited } from "../session/session-store";
import { coverageWanted } from "../state/coverage";
import { analyse, warmUpFor, warmUpLong } from "../state/engines";
import { INTS } from "../state/settings";
import {
  change,
  known,
  narrow,
  placeWanted,
  programShown,
  programWanted,
  projector,
  settings,
  sourceOf,
  stale,
  text,
} from "../state/state";
import { stepOf, stepShown } from "../state/stepping";

/** From now on, as long as the page is open. */
export function follow(): void {
  followProgram();
  followTab();
  followWishes();
  followBeside();
  followHistory(openLink, comeBack, returnToStep);
  window.addEventListener("pagehide", () => {
    keepText();
    const beside = shownBeside();
    keepSession(beside && besideAsKept(beside, sourceOf(text.peek())));
  });
  // Before the editor and lists, which would scroll.
  window.addEventListener(
    "keydown",
    (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || document.querySelector('[role="dialog"]')) return;
      const by = stepOf(e, projector.peek());
      if (by === null || !stepShown(by, analysisOf(settings.peek().tab).step, e.key)) return;
      e.preventDefault();
      e.stopPropagation();
    },
    { capture: true },
  );
  window.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) {
      e.preventDefault();
      onAnalyse();
    }
  });
}

function followProgram(): void {
  // Another function, another kind of integers or depth of inlining asks the engine anew; another pane may want to start by itself.
  const chosen = computed(() =>
    JSON.stringify([
      settings.value.function,
      settings.value.ints,
      settings.value.inlineDepth,
      settings.value.assume,
      settings.value.target,
    ]),
  );
  effect(() => {
    void chosen.value;
    untracked(() => void analyse());
  });
  // By then the page is usable; the first run of a tab need not wait for its engine any more.
  void analyse().finally(warmUpLong);
  // The answer follows the graph, and an edit ends it.
  effect(() => {
    if (stale.value) untracked(answerNoMore);
    else if (known.value) untracked(() => void answerNow());
  });
}

function followTab(): void {
  const shownTab = computed(() => settings.value.tab);
  effect(() => {
    const tab = shownTab.value;
    if (known.value) warmUpFor(tab);
    void visited.value;
    if (known.value && !(narrow.value && programShown.value)) untracked(() => void visit(tab));
  });
}

/** A tab wants another program to be shown, or a place of it. */
function followWishes(): void {
  effect(() => {
    const wanted = programWanted.value;
    if (!wanted) return;
    untracked(() => {
      programWanted.value = null;
      const name = examples.some((e) => e.name === wanted.program && e.source === wanted.source) ? wanted.program : "program";
      const { source, target } = fromTarget(wanted.source);
      show(name, textOf(source), `The program of ${wanted.program}'s evidence.`);
      change({
        function: wanted.function,
        ints: INTS.find((name) => name === wanted.ints) ?? null,
        inlineDepth: wanted.inlineDepth,
        target,
      });
    });
  });
  effect(() => {
    const files = coverageWanted.value;
    if (files === null) return;
    untracked(() => {
      coverageWanted.value = null;
      if (files.length > 0) void onFiles(files);
      else removeCoverage();
    });
  });
  effect(() => {
    const at = placeWanted.value;
    if (at === null) return;
    untracked(() => {
      placeWanted.value = null;
      goTo(at);
    });
  });
}
