// The editor in its place: the program's text, and the marks that the shown tab and the shown path put on its lines.

import { effect } from "@preact/signals";
import type { Analysis } from "../analyses/analysis";
import { lineTip } from "../analyses/line-card";
import { programMargin } from "../analyses/lines";
import { analysisOf } from "../analyses/registry";
import { Editor } from "../editor/editor";
import { editIn, onAnalyse, onChange } from "../session/program";
import { touring } from "../session/tours";
import {
  current,
  cursorLine,
  diagnostics,
  known,
  pathInView,
  projector,
  refused,
  selected,
  settings,
  text,
  wholeProgram,
} from "../state/state";

const shownAnalysis = (): Analysis => analysisOf(settings.value.tab);

/** The line that the tour points at. */
function lineOfTour(): number | null {
  const now = touring.value;
  const line = now?.tour.steps[now.at]?.show.line;
  return typeof line === "number" ? line : null;
}

export function mountEditor(host: HTMLElement): void {
  const mounted = new Editor(host, text.peek(), {
    onChange,
    onRun: onAnalyse,
    onSign: (line, sign) => {
      cursorLine.value = line;
      shownAnalysis().marginChosen?.(line, sign);
    },
    // What is known of the cursor's line stands below already.
    tipOf: (line) => (refused.peek() || line === cursorLine.peek() ? null : lineTip(line)),
    onShowAll: () => void (wholeProgram.value = true),
    onLine: (line, aimed) => {
      cursorLine.value = line;
      selected.value = null;
      if (aimed) shownAnalysis().aimed?.(line);
    },
  });
  editIn(mounted);
  // In Present the function is shown alone, unless its caller is wanted, too.
  effect(() => mounted.showAlone(projector.value && !wholeProgram.value && !refused.value ? (known.value?.cfg.function ?? null) : null));
  effect(() => {
    // What stands in the way of a run is shown where it stands, too.
    mounted.setDiagnostics([...diagnostics.value, ...(shownAnalysis().problems?.() ?? [])]);
  });
  effect(() => mounted.setMargin(refused.value ? [] : (shownAnalysis().margin?.() ?? programMargin.value)));
  effect(() => {
    const shown = pathInView.value;
    const cfg = known.value?.cfg;
    const item = selected.value;
    const pointed = shownAnalysis().pointed?.();
    if (refused.value) mounted.mark({ at: null, passed: [] });
    else if (item && cfg) {
      const line = item.kind === "edge" ? cfg.edges.find((e) => e.id === item.id)?.line : cfg.locations.find((l) => l.id === item.id)?.line;
      mounted.mark({ at: line || null, passed: [] });
    } else if (shown && current(shown.run)) {
      const reason = pointed ? pointed.because.map(({ line }) => line) : shown.path.core.flatMap((step) => shown.path.lines[step] ?? []);
      mounted.mark({ at: shown.path.lines[shown.step] ?? null, passed: shown.path.lines.slice(0, shown.step), reason });
    } else if (pointed) {
      mounted.mark({ at: pointed.line, passed: [], reason: pointed.because.map(({ line }) => line) });
    } else {
      mounted.mark({ at: lineOfTour(), passed: [] });
    }
  });
}
