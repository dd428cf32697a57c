// A formula in readable mathematics.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { grouped, subscript } from "../../text/numbers";
import { linesOf } from "./lines";

/** So many lines are shown at first, and at most. */
const FIRST = 10;
const MOST = 2_000;

/** The text with its operators told apart. */
const written = (text: string) =>
  subscript(text)
    .split(/([∀∃∧∨→])/)
    .map((part, at) => (at % 2 === 1 ? <b key={at}>{part}</b> : part));

export function Formula({ text }: { text: string }) {
  const all = useSignal(false);
  const lines = useMemo(() => linesOf(text), [text]);
  const most = all.value ? MOST : lines.length <= FIRST + 2 ? lines.length : FIRST;
  return (
    <div class="formula">
      <code>
        {lines.slice(0, most).map(({ depth, text }, at) => (
          <span key={at} style={{ "--depth": depth }}>
            {written(text)}{" "}
          </span>
        ))}
      </code>
      {lines.length > FIRST + 2 && (
        <button type="button" class="small" aria-expanded={all.value} onClick={() => (all.value = !all.value)}>
          {all.value ? "Show less" : `Show ${lines.length > MOST ? `${grouped(MOST)} of` : "all"} ${grouped(lines.length)} lines`}
        </button>
      )}
    </div>
  );
}
