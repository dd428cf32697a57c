// A path that plays: the step at which the shown tab's path stands moves on by itself.

import { effect, signal } from "@preact/signals";
import { pathInView, settings, shownPath, stepBy } from "./state";

/** So many milliseconds for each step; of a long path so few that all of it takes no longer than this. */
const STEP_MS = 500;
const ALL_MS = 15_000;
const LEAST_MS = 40;

export const playing = signal(false);
effect(() => {
  if (!playing.value) return;
  const { tab } = settings.peek();
  const steps = pathInView.peek()?.path.edges.length ?? 1;
  const timer = setInterval(
    () => {
      const view = settings.peek().tab === tab ? pathInView.peek() : null;
      if (view) stepBy(1);
      if (!view || view.step >= view.path.edges.length - 2) playing.value = false;
    },
    Math.max(LEAST_MS, Math.min(STEP_MS, ALL_MS / steps)),
  );
  return () => clearInterval(timer);
});

/** Plays the path in view from its beginning. */
export function replay(): void {
  const shown = shownPath.value;
  if (!shown) return;
  playing.value = false;
  shownPath.value = { ...shown, step: 0 };
  playing.value = true;
}
