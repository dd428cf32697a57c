// What is known of the thing that was chosen: over the picture, until it is closed.

import type { ComponentChildren } from "preact";
import { Icon } from "./icons";

export function Details({ onClose, children }: { onClose: () => void; children: ComponentChildren }) {
  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    onClose();
  };
  return (
    <div class="details" onKeyDown={onKeyDown}>
      <div class="details-text" role="status" tabIndex={0}>
        {children}
      </div>
      <button type="button" aria-label="Close the details" title="Close the details (Escape)" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
