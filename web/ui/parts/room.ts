// How much room there is: for pictures beside each other, or for one thing at a time.

import { computed, type Signal, signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { projector } from "../state/state";

const measured = (): { width: number; height: number } => ({ width: globalThis.innerWidth ?? 0, height: globalThis.innerHeight ?? 0 });
const size = signal(measured());
globalThis.addEventListener?.("resize", () => (size.value = measured()));

/** The size of letters, as styles/theme.css has it. */
const letters = (): number => (projector.value ? 21 : 15);

/** Whether several pictures at once can be read, with letters of the size there is. */
export const roomy = computed(() => size.value.width >= 64 * letters() && size.value.height >= 46 * letters());

/** How many columns a pane has room for: one at a time, a list beside a picture, or a list beside two pictures. */
export type Columns = 1 | 2 | 3;

export function useColumns(pane: RefObject<HTMLElement | null>): Signal<Columns> {
  const width = useSignal(0);
  const columns = useSignal<Columns>(2);
  useLayoutEffect(() => {
    if (!pane.current) return;
    const { current } = pane;
    const measure = (): void => {
      // A hidden pane has no width: it keeps the columns that it had.
      if (current.clientWidth > 0) width.value = current.clientWidth;
      if (width.value > 0) columns.value = width.value <= 640 ? 1 : width.value > 66 * letters() ? 3 : 2;
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return columns;
}
