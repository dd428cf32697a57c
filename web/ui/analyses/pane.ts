// What a tab is.

import type { ComponentType } from "preact";

export interface Pane {
  id: string;
  title: string;
  View: ComponentType;
  /** What stands in the frame's bar while this pane is shown: its settings, Run or Cancel. */
  Controls?: ComponentType;
  /** The frame's strip of steps while no path is in view. */
  Strip?: ComponentType;
  /** What Run does beyond the graph while this pane is shown. */
  analyse?: () => void;
  /** Called when a person comes to the pane. */
  visit?: () => void;
}
