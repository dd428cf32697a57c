// The entries of a tab in the session store (session/session-store.ts), which survive a reload.

import type { Signal } from "@preact/signals";
import type { Item } from "../graph/view";
import { Untrusted } from "./settings";

/** What data can be, and how that is told to a person. */
export interface Sound {
  holds: (data: unknown) => boolean;
  allowed: string;
}

/** Something that is looked at in a tab. */
export interface Keep {
  name: string;
  read: () => unknown;
  sound: Sound;
  /** From untrusted data; what is not sound changes nothing. */
  restore: (data: unknown) => void;
  /** As it is before anyone has chosen. */
  reset: () => void;
}

/** A signal that is kept; what is not sound does not come back. */
export function keeping<T>(name: string, of: Signal<T>, sound: Sound): Keep {
  const initial = of.peek();
  return {
    name,
    read: () => of.peek(),
    sound,
    restore: (data) => {
      if (sound.holds(data)) of.value = data as T;
    },
    reset: () => void (of.value = initial),
  };
}

export const isFlag: Sound = { holds: (data) => typeof data === "boolean", allowed: "true or false" };
export const isNumber: Sound = { holds: (data) => data === null || Number.isSafeInteger(data), allowed: "a whole number, or null" };
export const isOneOf = (names: readonly string[]): Sound => ({
  holds: (data) => names.some((name) => name === data),
  allowed: names.join(", "),
});
/** One of a kind by its number. */
export const isChoice = (kinds: readonly string[]): Sound => ({
  holds: (data) => {
    const from = new Untrusted(data);
    return data === null || (from.among("kind", kinds, null) !== null && Number.isSafeInteger(from.raw("at")));
  },
  allowed: `{ "kind": one of ${kinds.join(", ")}, "at": a whole number }, or null`,
});
export const isItem: Sound = {
  holds: (data) => data === null || itemOf(data) !== null,
  allowed: '{ "kind": "node" or "edge", "id": a whole number }, or null',
};
export const areTexts: Sound = {
  holds: (data) => Array.isArray(data) && data.every((text) => typeof text === "string"),
  allowed: "a list of texts",
};

/** A location or an edge from untrusted data. */
export function itemOf(data: unknown): Item | null {
  const from = new Untrusted(data);
  const kind = from.among("kind", ["node", "edge"], null);
  const id = from.whole("id", 0, Number.MAX_SAFE_INTEGER, null);
  return kind === null || id === null ? null : { kind, id };
}
