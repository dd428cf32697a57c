// What the Cover tab shows: tests of the program, or the algorithms on random ones.

import { coverAll } from "./session";
import { running } from "../../run";
import { compareChoice } from "./settings";
import { coverRun } from "./state";

export function CoverViews() {
  const { shown } = compareChoice.value;
  const show = (to: boolean): void => {
    compareChoice.change({ shown: to });
    // As on the first visit of the tab.
    if (!to && coverRun.peek() === null && !running.peek()) void coverAll();
  };
  return (
    <span class="group which" role="group" aria-label="What is covered">
      <button type="button" aria-pressed={!shown} onClick={() => show(false)}>This program</button>
      <button type="button" aria-pressed={shown} title="The algorithms beside each other on random programs" onClick={() => show(true)}>Compare algorithms</button>
    </span>
  );
}
