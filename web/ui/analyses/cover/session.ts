// What the Cover tab asks.

import type { CoverSettings, Event } from "../../protocol";
import { analyse, finish, gathered, long, request, stopRuns } from "../../session";
import { type CoverRun, coverChosen, coverRun, settings, shownPath } from "../../state";

/** The limit of steps of a first run; going on takes ten times as many. */
export const COVER_LIMIT = 20_000_000;
/** Runs that are kept of a run without a document. */
const FOUND_MAX = 10_000;

/** Covers the function with tests, and says of the rest why. */
export async function coverAll(limit: number = COVER_LIMIT): Promise<void> {
  stopRuns();
  const found = await analyse();
  if (!found) return;
  const { unwind, algorithm, summaries, precondition } = settings.value.cover;
  const asked: CoverSettings = { unwind, algorithm, summaries, precondition: precondition.trim() || null };
  let run: CoverRun = {
    state: "running", text: found.text, cfg: found.cfg, found: [], document: null, refused: [], unwind, limit, progress: null, note: null, ms: null, evidence: null,
  };
  const update = (part: Partial<CoverRun>): void => {
    coverRun.value = run = { ...run, ...part };
  };
  if (shownPath.value?.of === "cover") shownPath.value = null;
  coverChosen.value = null;
  update({});
  const arrived = gathered<Extract<Event, { kind: "reached" }>>((events) => {
    update({ found: run.found.concat(events.map(({ path, input }) => ({ path, input }))).slice(0, FOUND_MAX) });
  }, 200);
  const outcome = await long.ask({ kind: "cover", request: request({ limit }), settings: asked }, (event) => {
    if (event.kind === "progress") update({ progress: event });
    else if (event.kind === "reached") arrived.add(event);
  });
  arrived.flush();
  const document = finish<"cover">(outcome, update);
  if (document) update({ document, note: document.reason });
}
