// What is kept over a reload as long as the browser's tab is open: what is set, and of each tab what is looked at. Results are
// not kept: they are asked for again when the tab is shown, and then what was looked at in them is shown.

import { signal } from "@preact/signals";
import type { Analysis } from "../analyses/analysis";
import { analyses, analysisOf } from "../analyses/registry";
import { load, save } from "../browser/storage";
import { analyse } from "../state/engines";
import { ended } from "../state/run";
import { Untrusted, type Wrong } from "../state/settings";
import { change, current, cursorLine, type PathSource, programShown, selected, shownPath, sourceOf, text } from "../state/state";
import { isItem, itemOf, type Sound } from "../state/stored";
import { allSettings } from "./all-settings";

const KEY = "session";

/** Tells texts apart, not more. */
function digest(of: string): number {
  let hash = of.length;
  for (let i = 0; i < of.length; i++) hash = (Math.imul(hash, 31) + of.charCodeAt(i)) | 0;
  return hash;
}

const sources = (): readonly PathSource[] => analyses.flatMap(({ paths = [] }) => paths);

/** What is looked at in a tab: data that is read as if from outside. */
export type Look = Record<string, unknown>;

function looksOf({ id, keeps = [] }: Analysis): Look {
  const shown = shownPath.in(id).peek();
  return {
    selected: selected.in(id).peek(),
    path: shown && { of: shown.of.id, index: shown.index, step: shown.step },
    ...Object.fromEntries(keeps.map(({ name, read }) => [name, read()])),
  };
}

export function keepSession(beside: unknown = null): void {
  const tabs = Object.fromEntries(analyses.map((analysis) => [analysis.id, looksOf(analysis)]));
  save(
    KEY,
    JSON.stringify({
      address: location.hash,
      text: digest(sourceOf(text.peek())),
      settings: allSettings(),
      program: programShown.peek(),
      beside,
      tabs,
    }),
    "session",
  );
}

export interface Session {
  settings: unknown;
  /** Whether the program was shown, where there is room for one thing at a time. */
  program: boolean;
  /** What was shown beside. */
  beside: unknown;
}

/** What each tab showed, until it is visited. */
let looks = new Untrusted(null);
const waiting = new Set<string>();

/** The session before the reload, if it was at the same address; what was looked at comes back if the text is the same. */
export function sessionBefore(): Session | null {
  let data: unknown;
  try {
    data = JSON.parse(load(KEY, "session") ?? "null");
  } catch {
    return null;
  }
  const session = new Untrusted(data);
  if (session.raw("address") !== location.hash) return null;
  if (session.raw("text") === digest(sourceOf(text.peek()))) {
    looks = session.part("tabs");
    for (const { id } of analyses) waiting.add(id);
  }
  return { settings: session.raw("settings"), program: session.flag("program", true), beside: session.raw("beside") ?? null };
}

function restore({ id, keeps = [] }: Analysis): void {
  const look = looks.part(id);
  for (const { name, restore } of keeps) restore(look.raw(name));
}

/** What is looked at in a tab, as a link holds it; `null` if nothing is. */
export function lookOf(tab: string): Look | null {
  const line = cursorLine.peek();
  const look = Object.entries({ ...looksOf(analysisOf(tab)), line }).filter(([name, value]) => value !== null && name !== "part");
  return look.length > 0 ? Object.fromEntries(look) : null;
}

const isPath: Sound = {
  holds: (data) => {
    const from = new Untrusted(data);
    const whole = (key: string): boolean => from.whole(key, 0, Number.MAX_SAFE_INTEGER, null) !== null;
    return data === null || (sources().some(({ id }) => id === from.raw("of")) && whole("index") && whole("step"));
  },
  get allowed() {
    return `{ "of": one of ${sources()
      .map(({ id }) => id)
      .join(", ")}, "index": a whole number, "step": another one }, or null`;
  },
};
const isLine: Sound = {
  holds: (data) => data === null || (Number.isSafeInteger(data) && (data as number) > 0),
  allowed: "the number of a line, from 1 on",
};

/** What can be looked at in a tab, and what each of that can be. */
export const looksIn = ({ keeps = [] }: Analysis): ReadonlyMap<string, Sound> =>
  new Map([...keeps.map(({ name, sound }) => [name, sound] as const), ["selected", isItem], ["path", isPath], ["line", isLine]]);

/** What is to be looked at in a tab, from untrusted data; in `told` it notes what cannot be. */
export function readLook(tab: string, data: unknown, told: Wrong[], under: string): Look | null {
  if (data === null) return null;
  const from = new Untrusted({ [under]: data }, told).part(under);
  const there = looksIn(analysisOf(tab));
  const look: Look = {};
  for (const [key, value] of from.entries()) {
    const sound = there.get(key);
    if (sound?.holds(value)) look[key] = value;
    else from.wrong(key, sound?.allowed ?? `nothing, as the tab shows no such thing. There are ${[...there.keys()].join(", ")}`);
  }
  return Object.keys(look).length > 0 ? look : null;
}

/** Counts what is asked to be shown of a tab that may be shown already. */
export const visited = signal(0);
/** The last of them that is shown. */
export const shownVisit = signal(0);

/** What a link holds of a tab comes back when its program is known. `anew` is for a page that is open: what else was looked at in the tab is
 * left, and its result is asked for again if it is of another program or of other settings. */
export function lookFrom(tab: string, look: Look, anew = false): void {
  looks = new Untrusted({ [analysisOf(tab).id]: look });
  waiting.clear();
  waiting.add(analysisOf(tab).id);
  renewed = anew;
  if (anew) {
    const { id, keeps = [] } = analysisOf(tab);
    for (const { reset } of keeps) reset();
    selected.in(id).value = null;
    shownPath.in(id).value = null;
    visited.value++;
  }
  returnTo(tab);
  cursorLine.value = anew ? null : new Untrusted(look).whole("line", 1, Number.MAX_SAFE_INTEGER, null);
}

/** Whether the next visit asks for what is behind. */
let renewed = false;
let returned: string | null = null;
/** The next visit of this tab is for its own sake: it is to be as it was left. A link to something in a tab shows that. */
export const returnTo = (tab: string): void => void (returned = tab);

/** A tab is chosen, or the program, which is a tab where there is room for one thing at a time. */
export function onTab(id: string): void {
  programShown.value = id === "program";
  if (id === "program") return;
  returnTo(id);
  change({ tab: id });
}

/** A tab is visited: it may begin something by itself, and what was looked at before a reload comes back. */
export async function visit(tab: string): Promise<void> {
  const analysis = analysisOf(tab);
  const own = returned === tab;
  returned = null;
  if (!waiting.delete(analysis.id) || !own) return void (await analysis.visit?.());
  const renews = renewed;
  const mine = visited.peek();
  renewed = false;
  // An action in the meantime cancels the move to another tab.
  let touched = false;
  const touch = ({ target }: Event): void =>
    void (touched ||= target instanceof Element && target.closest(`#panel-${analysis.id}, .path-bar, .program`) !== null);
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, touch, { capture: true });
  try {
    // Before, since it says what the tab shows; and after, since a run that begins resets what was looked at in the last one.
    restore(analysis);
    await analysis.visit?.();
    if (renews) await renew(analysis);
    if (!touched) await lookAgain(analysis, () => touched);
    if (renews) shownVisit.value = mine;
  } finally {
    for (const event of ["pointerdown", "keydown"]) removeEventListener(event, touch, { capture: true });
  }
}

/** Asks for a tab's result, if what is there is of another program or was asked otherwise. */
async function renew({ task, tasks = [], analyse: ask }: Analysis): Promise<void> {
  const found = await analyse();
  const of = task?.() ?? tasks[0];
  const asked = found && !of?.alone && of?.question({}, found);
  if (!of || !asked) return;
  const run = of.run.peek();
  const stands = run && current(run) && run.state !== "cancelled" && JSON.stringify(run.asked) === JSON.stringify(asked.settings);
  if (!stands) await ask?.();
  await ended(of);
}

async function lookAgain(analysis: Analysis, given: () => boolean): Promise<void> {
  const look = looks.part(analysis.id);
  const path = look.part("path");
  const of = sources().find(({ id }) => id === path.raw("of"));
  restore(analysis);
  if (of) {
    const owner = analyses.find(({ paths }) => paths?.includes(of))!;
    restore(owner);
    await of.again?.();
    if (given()) return;
    restore(owner);
    const index = path.whole("index", 0, Number.MAX_SAFE_INTEGER, 0);
    if (of.at(index)) shownPath.in(analysis.id).value = { of, index, step: path.whole("step", 0, Number.MAX_SAFE_INTEGER, 0) };
  }
  selected.in(analysis.id).value = itemOf(look.raw("selected"));
}
