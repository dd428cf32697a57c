// The comment at the head of an example folds to its title. The text stays as it is: only what is drawn of it is less.

import { codeFolding, foldEffect, foldKeymap, foldService } from "@codemirror/language";
import type { EditorState, Extension, StateEffect, Text } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";

/** No header is longer than this, in characters. */
const LONGEST = 20_000;

export interface ProgramHeader {
  from: number;
  to: number;
  title: string;
}

/** The comment that the text begins with, if it says a title as those of the examples do. */
export function headerOf(text: Text): ProgramHeader | null {
  const start = text.sliceString(0, LONGEST);
  const comment = /^\/\*[\s\S]*?\*\//.exec(start)?.[0];
  const title = comment && /^[\s*/]*title:[ \t]*(\S.*?)\s*(?:\*\/)?$/m.exec(comment)?.[1];
  return comment && title ? { from: 0, to: comment.length, title } : null;
}

/** What folds the header of a text, to be dispatched together with it. */
export function foldHeader(text: Text): StateEffect<unknown>[] {
  const header = headerOf(text);
  return header && header.to > text.line(1).to ? [foldEffect.of({ from: header.from, to: header.to })] : [];
}

function placeholder(_view: EditorView, onClick: (event: Event) => void, title: string): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "cm-header-fold";
  shown.setAttribute("role", "button");
  shown.tabIndex = 0;
  shown.title = "Show the whole comment";
  shown.setAttribute("aria-label", `${title}: show the whole comment`);
  shown.textContent = `/* ${title} … */`;
  shown.onclick = onClick;
  shown.onkeydown = (e) => {
    if (e.key !== "Enter" && e.key !== " ") return;
    e.preventDefault();
    e.stopPropagation();
    onClick(e);
  };
  return shown;
}

export const headerFolding: Extension = [
  codeFolding({
    preparePlaceholder: (state: EditorState) => headerOf(state.doc)?.title ?? "…",
    placeholderDOM: placeholder,
  }),
  foldService.of((state, lineStart) => (lineStart === 0 ? headerOf(state.doc) : null)),
  keymap.of(foldKeymap),
];
