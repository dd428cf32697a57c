// The entries of a tab in the session store (session/session-store.ts), which survive a reload.

import type { Signal } from "@preact/signals";
import type { Item } from "../graph/view";
import { Untrusted } from "./settings";

/** Something that is looked at in a tab. */
export interface Keep {
  name: string;
  read: () => unknown;
  /** From untrusted data. */
  restore: (data: unknown) => void;
}

/** A signal that is kept; what is not sound does not come back. */
export const keeping = <T>(name: string, of: Signal<T>, sound: (data: unknown) => boolean): Keep => ({
  name,
  read: () => of.peek(),
  restore: (data) => {
    if (sound(data)) of.value = data as T;
  },
});

export const isFlag = (data: unknown): boolean => typeof data === "boolean";
/** A number, or `null`. */
export const isNumber = (data: unknown): boolean => data === null || Number.isSafeInteger(data);
export const isOneOf =
  (names: readonly string[]) =>
  (data: unknown): boolean =>
    names.some((name) => name === data);
/** A location or an edge, or `null`. */
export const isItem = (data: unknown): boolean => data === null || itemOf(data) !== null;

/** A location or an edge from untrusted data. */
export function itemOf(data: unknown): Item | null {
  const from = new Untrusted(data);
  const kind = from.among("kind", ["node", "edge"], null);
  const id = from.whole("id", 0, Number.MAX_SAFE_INTEGER, null);
  return kind === null || id === null ? null : { kind, id };
}
