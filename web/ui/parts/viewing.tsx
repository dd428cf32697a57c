// Buttons for looking at pictures and for saving them.

import type { ComponentChildren } from "preact";
import type { Viewport } from "../graph/viewport";
import { Popover } from "./popover";
import { type SavedPicture, SavePicture } from "./save-picture";

interface Props {
  /** All of them follow the buttons. */
  of: readonly (Viewport | undefined)[];
  /** More buttons, in front. */
  children?: ComponentChildren;
  save?: SavedPicture;
}

export function Viewing({ of, save, children }: Props) {
  return (
    <span class="viewing">
      {children}
      <span class="group">
        <button type="button" aria-label="Zoom out" title="Zoom out (−)" onClick={() => of.forEach((viewport) => viewport?.zoom(0.8))}>
          −
        </button>
        <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => of.forEach((viewport) => viewport?.zoom(1.25))}>
          +
        </button>
        <button type="button" title="Show everything (F)" onClick={() => of.forEach((viewport) => viewport?.fit())}>
          Fit
        </button>
      </span>
      {save && (
        <Popover className="save-picture" label="Save" title={`Save ${save.title}`}>
          {(close) => <SavePicture {...save} done={close} />}
        </Popover>
      )}
    </span>
  );
}
