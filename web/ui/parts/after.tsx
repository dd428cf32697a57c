// What comes before a run, where statics hold what earlier calls left in them.

import type { Call, Input } from "../protocol";
import { inputText, isEmpty } from "../text/inputs";
import { plural } from "../text/numbers";

/** The calls that come before a test, equal ones in a row once. */
export function After({ calls }: { calls: readonly Call[] }) {
  if (calls.length === 0) return null;
  const rows: { text: string; times: number }[] = [];
  for (const { function: name, input } of calls) {
    const text = `${name}(${isEmpty(input) ? "" : inputText(input)})`;
    const last = rows.at(-1);
    if (last?.text === text) last.times += 1;
    else rows.push({ text, times: 1 });
  }
  return (
    <>
      <p>
        After {plural(calls.length, "call")} since the program's start, which {calls.length === 1 ? "leaves" : "leave"} the statics so:
      </p>
      <ol class="calls">
        {rows.map(({ text, times }, at) => (
          <li key={at}>
            <code>{text}</code>
            {times > 1 && ` ${times} times`}
          </li>
        ))}
      </ol>
    </>
  );
}

/** What statics would have to hold for a run to take what is open, where no calls are known to leave that. */
export function Needs({ state }: { state: Input | null }) {
  return (
    state && (
      <p>
        A run takes it with <code>{inputText(state)}</code>; no calls are known to leave the statics so.
      </p>
    )
  );
}
