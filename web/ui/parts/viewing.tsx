// Buttons for looking at pictures and for saving them.

import type { ComponentChildren } from "preact";
import { type Exported, saveSvg } from "../graph/export";
import type { Viewport } from "../graph/viewport";

interface Props {
  /** All of them follow the buttons. */
  of: readonly (Viewport | undefined)[];
  /** More buttons, in front. */
  children?: ComponentChildren;
  /** Saved as an SVG, with what its file is called. */
  save?: { picture: () => Exported | null; name: string; title: string };
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
        <button
          type="button"
          title={save.title}
          onClick={() => {
            const picture = save.picture();
            if (picture) saveSvg(picture, save.name);
          }}
        >
          SVG
        </button>
      )}
    </span>
  );
}
