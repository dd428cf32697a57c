// Which of the engine's events the worker passes on to the page.

import type { Event } from "../protocol";
import type { AtWorker } from "./at-worker";

/** What says how far it is, is for people: it passes once in so many milliseconds. */
const SELDOM = 100;

/** A listener for the engine, which always goes on. */
export function reporter(
  { results, most = Infinity, thinned = [] }: AtWorker<any>,
  pass: (event: Event) => void,
  now: () => number = () => performance.now(),
): (event: Event) => boolean {
  let last = -Infinity;
  let passed = 0;
  return (event) => {
    if (results?.(event) && passed < most) {
      passed++;
      pass(event);
    } else if (event.kind === "progress" || thinned.includes(event.kind)) {
      const at = now();
      if (at - last >= SELDOM) {
        last = at;
        pass(event);
      }
    }
    return true;
  };
}
