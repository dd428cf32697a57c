// A term of a paper, with the glossary's sentence: on hover, on focus, and on a press.

import terms from "glossary:terms";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";

/** Pixels between the term, what is told of it, and the window's edge. */
const GAP = 6;

/** The term of this name; `children` is how it is written, if otherwise. */
export function Term({ of, children = of }: { of: string; children?: ComponentChildren }) {
  const open = useSignal(false);
  const root = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const id = useId();
  const about = terms[of];
  // Within the window, wherever the term stands: what scrolls around it does not cut it.
  useLayoutEffect(() => {
    const [at, shown] = [root.current?.getBoundingClientRect(), tip.current];
    if (!open.value || !at || !shown) return;
    const { offsetWidth: width, offsetHeight: height } = shown;
    shown.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - width - GAP))}px`;
    const below = at.bottom + GAP + height <= innerHeight;
    shown.style.top = `${below ? at.bottom : Math.max(GAP, at.top - height)}px`;
  }, [open.value]);
  useEffect(() => {
    if (!open.value) return;
    const close = (e: Event): void => {
      if (!(e.target instanceof Node && root.current?.contains(e.target))) open.value = false;
    };
    for (const event of ["pointerdown", "scroll"]) addEventListener(event, close, { capture: true });
    return () => {
      for (const event of ["pointerdown", "scroll"]) removeEventListener(event, close, { capture: true });
    };
  }, [open.value]);
  if (!about) return <>{children}</>;
  return (
    <span
      class="term-about"
      ref={root}
      onPointerEnter={(e) => e.pointerType === "mouse" && (open.value = true)}
      onPointerLeave={(e) => e.pointerType === "mouse" && (open.value = false)}
      onFocusOut={(e) => !(e.relatedTarget instanceof Node && root.current?.contains(e.relatedTarget)) && (open.value = false)}
      onKeyDown={(e) => {
        if (e.key !== "Escape" || !open.value) return;
        e.stopPropagation();
        open.value = false;
      }}
    >
      <button
        type="button"
        class="term"
        data-term={of}
        aria-expanded={open.value}
        aria-describedby={open.value ? id : undefined}
        onFocus={(e) => e.currentTarget.matches(":focus-visible") && (open.value = true)}
        onClick={(e) => {
          e.stopPropagation();
          open.value = true;
        }}
      >
        {children}
      </button>
      {open.value && (
        <span class="term-tip" id={id} role="tooltip" ref={tip}>
          <b>{about.title}</b> {about.text}{" "}
          <a href={`docs/glossary.html#${about.anchor}`} target="_blank" rel="noopener">
            Glossary
          </a>
        </span>
      )}
    </span>
  );
}
