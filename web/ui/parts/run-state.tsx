// How a run stands: its progress, or how it ended and whether that is still about the text shown.

import type { Progress, RunState as State } from "../state/run";
import { duration, grouped } from "../text/numbers";

/** What the bar stands for. */
const COUNTED = { steps: "Steps used of the limit", claims: "Claims checked of all", runs: "Runs of all" };

interface Props {
  run: { state: State; progress: Progress | null; note: string | null; ms: number | null };
  current: boolean;
  again: () => void;
  /** What the progress counts. */
  unit?: keyof typeof COUNTED;
}

export function RunState({ run, current, again, unit = "steps" }: Props) {
  const { state, progress, note } = run;
  return (
    <div class="run-state" data-state={state}>
      {state === "running" && (
        <div class="progress">
          <progress
            max={progress?.limit || 1}
            value={progress ? Math.min(progress.steps, progress.limit) : undefined}
            aria-label={COUNTED[unit]}
          />
          <span>
            {progress
              ? `${grouped(progress.steps)} of ${unit === "steps" ? "at most " : ""}${grouped(progress.limit)} ${unit}${progress.text ? ` · ${progress.text}` : ""}`
              : "Starting…"}
          </span>
        </div>
      )}
      <div role="status">
        {state === "cancelled" && <p class="mark">◼ Cancelled: what was found until then is kept.</p>}
        {state === "failed" && <p class="mark bad">✕ The run stopped: {note}</p>}
        {state === "done" && note && <p class="mark open">? Open: {note}</p>}
        {state === "done" && !note && <span class="sr-only">Done{run.ms !== null ? ` in ${duration(run.ms)}` : ""}.</span>}
        {!current && state !== "running" && (
          <p class="mark stale-mark">
            These are results of an earlier text.{" "}
            <button type="button" class="link" onClick={again}>
              Run again
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
