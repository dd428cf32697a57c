// How a run of the program may go on: a longer one, or what stands in its way.

import { longer, type ProgramRun } from "../state/run";
import { current, placeWanted } from "../state/state";
import { grouped } from "../text/numbers";

/** After a run that its limit held back: the same with ten times as many steps. */
export function GoOn({ run, go }: { run: ProgramRun<any>; go: (limit: number) => void }) {
  const limit = longer(run);
  return (
    limit !== null && (
      <p class="mark open">
        <button type="button" onClick={() => go(limit)}>
          Go on, up to {grouped(limit)} steps
        </button>
      </p>
    )
  );
}

/** What stands in the way, where it stands. */
export function Refused({ run }: { run: ProgramRun<any> }) {
  if (run.refused.length === 0 || !current(run)) return null;
  return (
    <ul class="refused">
      {run.refused.map(({ message, help, place }, i) => (
        <li key={i}>
          {place.end > place.start && (
            <button type="button" class="link" onClick={() => (placeWanted.value = place.start)}>
              line {place.line}
            </button>
          )}{" "}
          {message}
          {help && <span class="muted"> Help: {help}</span>}
        </li>
      ))}
    </ul>
  );
}
