// What opens below a button and goes again: on Escape, on a click elsewhere, and when the focus leaves.

import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

interface Opening {
  open: Signal<boolean>;
  /** Around the button, which comes first, and what it opens. */
  root: RefObject<HTMLDivElement | null>;
  onKeyDown: (e: KeyboardEvent) => void;
  /** Closes it and gives the focus back to the button. */
  close: () => void;
}

export function useOpening(): Opening {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const outside = (e: Event): void => {
      if (open.peek() && e.target instanceof Node && !root.current?.contains(e.target)) open.value = false;
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, []);
  const close = (): void => {
    open.value = false;
    root.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.key !== "Escape" || !open.value) return;
    e.stopPropagation();
    close();
  };
  return { open, root, onKeyDown, close };
}

interface Props {
  /** The button's text. */
  label: ComponentChildren;
  /** What the panel is called. */
  title: string;
  className?: string;
  /** Whether something in it needs a person's eye. */
  wrong?: boolean;
  hint?: string;
  /** `close` gives the focus back. */
  children: (close: () => void) => ComponentChildren;
}

/** A button and the panel that it opens: below it, on a phone a sheet from the lower edge. */
export function Popover({ label, title, className = "", wrong = false, hint, children }: Props) {
  const { open, root, onKeyDown, close } = useOpening();
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  // Before the next event: a field that has the focus by then keeps it.
  useLayoutEffect(() => {
    if (open.value) panel.current?.querySelector<HTMLElement>(":is(input, select, textarea):not(:disabled)")?.focus();
  }, [open.value]);
  return (
    <div class={`popover ${className}`.trimEnd()} ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        class={wrong ? "wrong" : undefined}
        title={hint}
        aria-expanded={open.value}
        aria-haspopup="dialog"
        aria-controls={open.value ? id : undefined}
        onClick={() => (open.value = !open.value)}
      >
        {label}
      </button>
      {open.value && (
        <div class="popover-panel" id={id} role="dialog" aria-label={title} ref={panel}>
          <div class="popover-head">
            <h2>{title}</h2>
            <button type="button" aria-label="Close" onClick={close}>
              <Icon name="close" />
            </button>
          </div>
          {children(close)}
        </div>
      )}
    </div>
  );
}
