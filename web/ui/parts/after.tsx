// The calls that come before a run.

import { inputText } from "../inputs";
import { plural } from "../numbers";
import type { Call } from "../protocol";

/** The calls that come before a run, equal ones in a row once. */
export function After({ calls }: { calls: readonly Call[] }) {
  if (calls.length === 0) return null;
  const rows: { text: string; times: number }[] = [];
  for (const { function: name, input } of calls) {
    const given = Object.keys(input).some((key) => key !== "nondet" && key !== "nondet_names") || input.nondet.length > 0;
    const text = `${name}(${given ? inputText(input) : ""})`;
    const last = rows.at(-1);
    if (last?.text === text) last.times += 1;
    else rows.push({ text, times: 1 });
  }
  return (
    <>
      <p>After {plural(calls.length, "call")} since the program's start, which {calls.length === 1 ? "leaves" : "leave"} the statics so:</p>
      <ol class="calls">{rows.map(({ text, times }, at) => <li key={at}><code>{text}</code>{times > 1 && ` ${times} times`}</li>)}</ol>
    </>
  );
}
