// What a tab is.

import type { ComponentType } from "preact";

export interface Pane {
  id: string;
  title: string;
  View: ComponentType;
  /** What Analyse does beyond the graph while this pane is shown. */
  analyse?: () => void;
  /** Called when a person comes to the pane. */
  visit?: () => void;
}
