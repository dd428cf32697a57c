// What the Paths tab shows: the numbers of paths, or some paths drawn.

import { signal } from "@preact/signals";

export const PATHS_VIEWS = [
  { id: "count", title: "Count" },
  { id: "draw", title: "Draw" },
] as const;
export const pathsView = signal<(typeof PATHS_VIEWS)[number]["id"]>("count");
