// Reasons in the engine's words, whose lines are links to the program.

import type { Text } from "@codemirror/state";
import type { ComponentChildren } from "preact";
import { quoted } from "../../parts/quoted";
import { placeWanted } from "../../state/state";
import { offsetOf } from "./state";

/** What has the text in which the lines are. */
export interface OfText {
  text: Text;
}

interface LineProps {
  line: number;
  column: number;
  run: OfText;
  children?: ComponentChildren;
}

/** The line, as a link to it. */
export function Line({ line, column, run, children }: LineProps) {
  const start = offsetOf(run.text, line, column);
  const words = children ?? `line ${line}`;
  if (start === null) return <>{words}</>;
  return (
    <button type="button" class="link" onClick={() => (placeWanted.value = start)}>
      {words}
    </button>
  );
}

/** A reason as a sentence. */
export const Reason = ({ text, run }: { text: string; run: OfText }) => (
  <p>
    {`${text[0]!.toUpperCase()}${text.slice(1)}.`.split(/(line \d+(?::\d+)?)/).map((part, at) => {
      const [, line, column] = /^line (\d+)(?::(\d+))?$/.exec(part) ?? [];
      return line === undefined ? (
        quoted(part)
      ) : (
        <Line key={at} line={Number(line)} column={Number(column ?? 1)} run={run}>
          {part}
        </Line>
      );
    })}
  </p>
);
