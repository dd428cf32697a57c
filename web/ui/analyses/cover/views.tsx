// What the Cover tab shows: tests of the program, or the algorithms on random ones.

import { coverAll } from "./session";
import { change, coverRun, running, settings } from "../../state";

export function CoverViews() {
  const { shown } = settings.value.compare;
  const show = (to: boolean): void => {
    change({ compare: { ...settings.value.compare, shown: to } });
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
