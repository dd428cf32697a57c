// What the worker knows of each question, by its name in the engine: a line for each analysis whose events are results, that
// has evidence, or whose settings the worker reads. Of the others `progress` passes, and the document.

import type { AtWorker } from "../engine/at-worker";
import type { Chore, Name, SettingsOf } from "../engine/messages";
import { branches } from "./branches/worker";
import { check } from "./check/worker";
import { compare, cover } from "./cover/worker";
import { explain } from "./explain/worker";
import { draw, paths } from "./paths/worker";
import { prune } from "./prune/worker";
import { reach } from "./reach/worker";
import { criteria, report } from "./report/worker";

const ALL: { [A in Name]?: AtWorker<A> } = { paths, draw, prune, explain, reach, cover, compare, branches, report, criteria, check };

export const atWorker = <A extends Name>(name: A): AtWorker<A> => ALL[name] ?? {};

/** The small questions of a chore. */
export const warmUps = (chore: Chore["chore"]): { name: Name; settings: SettingsOf<Name> }[] =>
  Object.entries(ALL).flatMap(([name, { warmUp }]) => (warmUp?.chore === chore ? [{ name: name as Name, settings: warmUp.settings }] : []));
