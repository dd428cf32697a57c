// What the keys step through that need no focus: the strip of steps that is shown, or else the rows of the shown tab.

/** Steps on (1) or back (-1); whether there was a step. */
export type StepBy = (by: 1 | -1) => boolean;

/** The strip that is shown, if one is. */
let strip: StepBy | null = null;

/** What the keys of pages step before anything else: a tour. */
let pages: StepBy | null = null;

/** From now on PageDown and PageUp step this. Gives what ends that. */
export function paging(by: StepBy): () => void {
  pages = by;
  return () => {
    if (pages === by) pages = null;
  };
}

/** From now on the keys step this strip. Gives what ends that. */
export function stepping(by: StepBy): () => void {
  strip = by;
  return () => {
    if (strip === by) strip = null;
  };
}

/** What a key press asks for: a clicker sends PageDown and PageUp, which in Present mean steps wherever the focus is; arrow keys step where
 * nothing else has use for them. */
export function stepOf({ key, target }: Pick<KeyboardEvent, "key" | "target">, presents: boolean): 1 | -1 | null {
  const by = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 }[key] as 1 | -1 | undefined;
  if (by === undefined) return null;
  const inPage = target === document.body || target === document.documentElement;
  const isField = target instanceof Element && target.matches("input, select, textarea");
  return (key.startsWith("Page") ? (presents && !isField) || inPage : inPage) ? by : null;
}

/** Steps what is shown; `rows` steps the shown tab where there is no strip. */
export function stepShown(by: 1 | -1, rows: StepBy | undefined, key: string): boolean {
  if (pages && key.startsWith("Page")) return pages(by);
  return strip ? strip(by) : (rows?.(by) ?? false);
}
