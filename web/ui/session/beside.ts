// Two tabs side by side, of one program or of two: the second is the page itself in a frame, with an engine, results and links of its own. The
// page and its frame are of one origin, so they ask each other directly.

import { effect, signal } from "@preact/signals";
import { METHODS } from "../analyses/registry";
import { isBeside } from "../browser/embedded";
import { change, known, program, projector, settings, sourceOf, type Theme, text, theme } from "../state/state";
import { allSettings } from "./all-settings";
import { type Linked, toHash } from "./permalink";
import { setOwn, setProgram, textOf } from "./program";
import { lookOf } from "./session-store";

/** What a frame offers to the page around it. */
interface Framed {
  /** What it shows, as links hold it. */
  shown: () => Linked;
  /** The page's program has changed: it is shown here too, unless another one is. */
  take: (linked: Linked) => void;
  look: (theme: Theme, projector: boolean) => void;
}
declare global {
  interface Window {
    culdesac?: Framed;
  }
}

/** The frame's address; `null` if nothing is beside. */
export const besideAddress = signal<string | null>(null);
let frame: HTMLIFrameElement | null = null;

/** What is shown. */
export const shownNow = (): Linked => ({
  source: sourceOf(text.peek()),
  settings: { ...allSettings(), program: program.peek() },
  look: lookOf(settings.peek().tab),
});

/** What is shown beside, if anything. */
export const shownBeside = (): Linked | null => (besideAddress.peek() === null ? null : (frame?.contentWindow?.culdesac?.shown() ?? null));

/** Shows something beside. */
export async function openBeside(linked: Linked): Promise<void> {
  const address = new URL("./?beside", location.href.replace(/[?#].*$/, ""));
  address.hash = await toHash(linked);
  besideAddress.value = address.href;
}

/** Shows the program beside in another tab: the next method; or shows nothing beside any more. */
export function toggleBeside(): void {
  if (besideAddress.peek() !== null) {
    besideAddress.value = null;
    frame = null;
    return;
  }
  const at = METHODS.findIndex(({ id }) => id === settings.peek().tab);
  const { source, settings: all } = shownNow();
  void openBeside({ source, settings: { ...all, tab: METHODS[(at + 1) % METHODS.length]!.id } });
}

/** The frame is there, and has its look from the page. */
export function besideLoaded(loaded: HTMLIFrameElement): void {
  frame = loaded;
  frame.contentWindow?.culdesac?.look(theme.peek(), projector.peek());
}

/** The frame follows the program and the look of the page around it. */
export function followBeside(): void {
  effect(() => {
    const [chosen, presents] = [theme.value, projector.value];
    frame?.contentWindow?.culdesac?.look(chosen, presents);
  });
  effect(() => {
    if (known.value && besideAddress.value !== null) frame?.contentWindow?.culdesac?.take(shownNow());
  });
}

/** In the frame: what the page around it may ask. */
export function offerBeside(): void {
  if (!isBeside) return;
  let taken = sourceOf(text.peek());
  window.culdesac = {
    shown: shownNow,
    take: ({ source, settings: { program: name, function: of, ints, inlineDepth, assume, target } }) => {
      if (sourceOf(text.peek()) !== taken) return;
      taken = source;
      setOwn(false);
      if (sourceOf(text.peek()) !== source) setProgram(name, textOf(source));
      change({ function: of, ints, inlineDepth, assume, target });
    },
    look: (chosen, presents) => {
      theme.value = chosen;
      projector.value = presents;
    },
  };
}

/** After a reload: what was beside. */
export function besideAgain(linked: Linked | null | undefined): void {
  if (linked && !isBeside) void openBeside(linked);
  else besideAddress.value = null;
}
