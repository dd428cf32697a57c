// What the Cover tab shows: tests of the program, or the algorithms on random ones.

import { Choice } from "../../parts/choice";
import { roomy } from "../../parts/room";
import { sharedCover } from "../background";
import { coverAll } from "./session";
import { compareChoice } from "./settings";
import { coverRun } from "./state";

export function CoverViews() {
  const { shown } = compareChoice.value;
  const show = (to: boolean): void => {
    compareChoice.change({ shown: to });
    // As on the first visit of the tab.
    if (!to && coverRun.peek() === null) void (sharedCover() ?? coverAll());
  };
  const all = [
    { id: "program", title: "This program" },
    { id: "compare", title: roomy.value ? "Compare algorithms" : "Compare", hint: "The algorithms beside each other on random programs" },
  ] as const;
  return (
    <Choice
      className="which"
      label="What is covered"
      all={all}
      chosen={shown ? "compare" : "program"}
      onChoose={(id) => show(id === "compare")}
    />
  );
}
