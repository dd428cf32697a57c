// Back and Forward: each tab that is chosen, each example that is opened and each step of a tour is an entry of the browser's history, and the address holds a
// link while the page shows what it says.

import { computed, effect } from "@preact/signals";
import { Untrusted } from "../state/settings";
import { change, narrow, programShown, settings } from "../state/state";
import { returnTo } from "./session-store";

/** What an entry of the history says. */
interface Entry {
  tab: string;
  /** Whether the program is shown, where there is room for one thing at a time. */
  program: boolean;
  /** Entries of the same program have the same number: between them only the tab changes. */
  opened: number;
  /** The program that an example replaced, for the way back. */
  left?: LeftProgram;
}

/** A program with what was set. */
export interface LeftProgram {
  name: string;
  source: string;
  settings: unknown;
}

/** Browsers keep no more than some megabytes of an entry. */
const MOST_KEPT = 500_000;

function entryOf(data: unknown): Entry | null {
  const from = new Untrusted(data);
  const tab = from.text("tab", null);
  const opened = from.whole("opened", 0, Number.MAX_SAFE_INTEGER, null);
  const left = from.part("left");
  const [name, source] = [left.text("name", null), left.text("source", null)];
  return tab === null || opened === null
    ? null
    : {
        tab,
        program: from.flag("program", false),
        opened,
        ...(name !== null && source !== null && { left: { name, source, settings: left.raw("settings") } }),
      };
}

/** The entry at which the page is, if it has been here before. */
export const entry = (): Entry | null => entryOf(history.state);

let opened = entry()?.opened ?? Date.now();
/** The part of the address from `#` on. */
let address = location.hash;

const write = (how: "pushState" | "replaceState", state: unknown): void =>
  history[how](state, "", location.pathname + location.search + address);

/** The address says what the page shows: a link, or nothing. */
export function setAddress(hash: string): void {
  address = hash;
  write("replaceState", history.state);
}

/** A link was opened: entries before this one are about another program. */
export function linkOpened(): void {
  address = location.hash;
  opened = Date.now();
}

/** An example is about to replace a program: an entry of its own, which has its link. */
export function exampleOpened(hash: string, left: LeftProgram): void {
  const now = entry();
  if (now && left.source.length <= MOST_KEPT) write("replaceState", { ...now, left } satisfies Entry);
  address = hash;
  opened = Date.now();
  write("pushState", { tab: settings.peek().tab, program: narrow.peek() && programShown.peek(), opened } satisfies Entry);
}

/** A step of a tour is shown: an entry of its own, which has its link. */
export function stepOpened(hash: string): void {
  address = hash;
  opened = Date.now();
  write("pushState", { tab: settings.peek().tab, program: narrow.peek() && programShown.peek(), opened } satisfies Entry);
}

/** Follows the tabs; a link that a person puts into the address is opened, and a program comes back that an example replaced. */
export function followHistory(openLink: () => Promise<unknown>, comeBack: (left: LeftProgram) => void, returnToStep: () => boolean): void {
  const now = computed(() =>
    JSON.stringify({ tab: settings.value.tab, program: narrow.value && programShown.value, narrow: narrow.value }),
  );
  let wasNarrow = narrow.peek();
  let asked = false;
  const note = (): void => {
    asked = false;
    const was = entry();
    const { tab, program } = JSON.parse(now.peek()) as Entry;
    const same = was?.tab === tab && was.program === program && was.opened === opened;
    const left = was?.opened === opened ? was.left : undefined;
    // A window that becomes narrow is no step.
    const step = was !== null && was.opened === opened && narrow.peek() === wasNarrow;
    wasNarrow = narrow.peek();
    if (!same) write(step ? "pushState" : "replaceState", { tab, program, opened, ...(!step && left && { left }) } satisfies Entry);
  };
  effect(() => {
    void now.value;
    // Together, what is changed together.
    if (!asked) queueMicrotask(note);
    asked = true;
  });
  addEventListener("popstate", () => {
    const to = entry();
    // Without one it is an address that a person wrote.
    if (!to) return;
    if (to.opened !== opened) {
      const before = [opened, address] as const;
      [opened, address] = [to.opened, location.hash];
      // A step of a tour has all that is to be shown.
      if (returnToStep()) return;
      [opened, address] = before;
    }
    programShown.value = to.program;
    returnTo(to.tab);
    change({ tab: to.tab });
    // An entry from before an edit still has the link.
    if (to.opened === opened) return write("replaceState", to);
    if (!to.left) return;
    opened = to.opened;
    address = location.hash;
    comeBack(to.left);
  });
  addEventListener("hashchange", () => {
    if (entry()?.opened === opened) return;
    void openLink().then(note);
  });
}
