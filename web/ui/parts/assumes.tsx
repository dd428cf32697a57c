// What a verdict rests on: what is assumed about the world around the function.

import type { Assumed } from "../protocol";

interface Props {
  /** The assumptions of the document, with what they say; without one there are only names. */
  all: readonly Assumed[] | undefined;
  ids: readonly string[];
}

/** In words; nothing where a verdict rests on nothing. */
export function Assumes({ all = [], ids }: Props) {
  if (ids.length === 0) return null;
  return (
    <p class="assumes">
      Assuming:{" "}
      {ids.map((id, at) => (
        <span key={id}>
          {at > 0 && "; "}
          {all.find((one) => one.id === id)?.text ?? ""} <code>{id}</code>
        </span>
      ))}
      .
    </p>
  );
}

/** How a row says it. */
export const resting = (ids: readonly string[]): string | null => (ids.length === 0 ? null : `if ${ids.join(", ")}`);

/** What feasible counts rest on, all lengths together. */
export const ofRows = (rows: readonly { assumes: readonly string[] }[]): string[] => [...new Set(rows.flatMap(({ assumes }) => assumes))];
