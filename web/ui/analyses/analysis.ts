// What an analysis is to the page: a tab.

import type { ComponentType } from "preact";
import type { MarginMark } from "../editor/editor";
import type { Example } from "../editor/examples";
import type { Diagnostic } from "../protocol";
import type { Task } from "../state/run";
import type { AnyChoice } from "../state/settings";
import type { PathSource, Pointed } from "../state/state";
import type { StepBy } from "../state/stepping";
import type { Keep } from "../state/stored";

export interface Analysis {
  id: string;
  title: string;
  View: ComponentType;
  /** What stands in the frame's bar while the tab is shown: its settings, Run or Cancel. */
  Controls?: ComponentType;
  /** The frame's strip of steps while no path is in view. */
  Strip?: ComponentType;
  /** What it can be asked for: travels in links under the choices' keys. */
  choices?: readonly AnyChoice[];
  /** What it asks the engine. */
  tasks?: readonly Task[];
  /** What Run does beyond the graph while the tab is shown; ends when that has ended. */
  analyse?: () => unknown;
  /** Of several tasks the one that Run then puts; without it the first. */
  task?: () => Task;
  /** Called when a person comes to the tab; ends when what it starts has ended. */
  visit?: () => Promise<unknown>;
  /** What is looked at in it, beside a path and what is selected: kept over a reload. */
  keeps?: readonly Keep[];
  /** Called when a person opens an example: what it says to look at. */
  opened?: (example: Example) => void;
  /** Called when the coverage of tests was added: asks what the tests lack. Gives why the coverage is not of the program, or `null`. */
  measured?: () => Promise<string | null>;
  /** Called when a person goes to a line of the program while the tab is shown. */
  aimed?: (line: number) => void;
  /** Whether what it shows is not about the program: it is there while the program is refused, too. */
  alone?: () => boolean;
  /** Paths that can be looked at in it. */
  paths?: readonly PathSource[];
  /** Whether a path of another tab can be shown in it at the moment, what the button for that says, and how the tab then
   * shows what the path stands in. */
  takesPath?: { title: string; now: () => boolean; show?: () => void };
  /** An edge that is looked at in it without a path. */
  pointed?: () => Pointed | null;
  /** Goes to the next row (1) or the one before (-1), for keys that need no focus; whether there is one. */
  step?: StepBy;
  /** What it shows in the program's margin. */
  margin?: () => readonly MarginMark[];
  /** Called when a person presses a sign there. */
  marginChosen?: (line: number, sign: string) => void;
  /** What it knows of why no execution takes an edge, in a few words. */
  reasonOf?: (edge: number) => string | null;
  /** A page on the answer for a reviewer: saves it. */
  savePage?: () => Promise<void>;
  /** What it found in the way, to be marked in the program. */
  problems?: () => readonly Diagnostic[];
}
