// The bar above a pane: run or cancel, and the settings, as a line of words or as fields.

import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { stopRuns } from "../session";
import { narrow } from "../state";
import { load, save } from "../storage";

/** Whether a pane's fields are shown. Kept on this device: whoever wants them wants them next time too. */
const opened = new Map<string, Signal<boolean>>();

function openedOf(pane: string): Signal<boolean> {
  const known = opened.get(pane) ?? signal(load(`${pane}-settings`) === "open");
  opened.set(pane, known);
  return known;
}

interface Props {
  /** The pane's name: of the fields, of what is kept, and of the docs page. */
  pane: string;
  busy: boolean;
  /** Whether the settings are in order. */
  ready: boolean;
  inWords: string;
  start: () => void;
  /** Their Enter key runs too. */
  fields: (go: () => void) => ComponentChildren;
  /** A choice of what the pane shows. */
  views?: ComponentChildren;
  /** The page of the docs, if it is not the pane's. */
  page?: string;
}

export function SettingsBar({ pane, busy, ready, inWords, start, fields, views, page = `${pane}.html` }: Props) {
  const shown = openedOf(pane);
  // What is wrong must be seen.
  const open = shown.value || !ready;
  const id = `${pane}-fields`;
  const go = (): void => {
    if (!ready) return;
    // On a phone the fields would stand between the button and the picture.
    if (narrow.value) shown.value = false;
    start();
  };
  const toggle = (): void => {
    shown.value = !open;
    save(`${pane}-settings`, shown.value ? "open" : "closed");
  };
  return (
    <>
      <div class="bar">
        {busy ? <button type="button" onClick={stopRuns}>Cancel</button> : <button type="button" class="primary" disabled={!ready} onClick={go}>Run</button>}
        <button type="button" aria-expanded={open} aria-controls={open ? id : undefined} onClick={toggle}>
          Settings <span aria-hidden="true">{open ? "▴" : "▾"}</span>
        </button>
        {!open && <span class="in-words muted" title={inWords}>{inWords}</span>}
        <span class="spring" />
        {views}
        <a href={`docs/${page}`}>How it works</a>
      </div>
      {open && <div class="form" id={id}>{fields(go)}</div>}
    </>
  );
}
