// Where the functions of a program stand in its text, and how the editor shows one alone: the lines around it are folded away.

import { type EditorState, type Extension, type Range, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { plural } from "../text/numbers";
import { MARK } from "./files";

/** Longer texts are not looked through. */
const LONGEST = 1_000_000;

/** A function with its first and last line. */
export interface FunctionLines {
  name: string;
  from: number;
  to: number;
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** Comments, texts, directives and the headings of files say nothing of where functions are; a directive ends what stands before it. */
const bare = (source: string): string =>
  source
    .replaceAll(MARK, "#")
    .replace(/\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*/gm, (found) =>
      found.trimStart().startsWith("#") ? `;${blank(found.slice(1))}` : blank(found),
    );

/** The functions of a C program, and the procedures of one in blocks, in the order of the text. */
export function functionsOf(source: string): FunctionLines[] {
  if (source.length > LONGEST) return [];
  const text = bare(source);
  const found: FunctionLines[] = [];
  const lineAt = (at: number): number => source.slice(0, at).split("\n").length;
  let depth = 0;
  /** Where the declaration begins that is being read, and whether a name with parentheses is in it. */
  let begin = 0;
  let name: string | null = null;
  for (const { 0: token, 1: word, index } of text.matchAll(/([A-Za-z_]\w*)\s*\(|[{};]/g)) {
    if (word !== undefined) {
      // The last of a declaration that is no attribute.
      if (depth === 0 && name === null && !/^(?:__\w+|_Alignas|_Static_assert)$/.test(word)) name = word;
    } else if (token === "{") {
      depth++;
    } else if (token === "}") {
      depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      const from = begin + (text.slice(begin).match(/^\s*/)?.[0].length ?? 0);
      if (name !== null) found.push({ name, from: lineAt(from), to: lineAt(index) });
      [begin, name] = [index + 1, null];
    } else if (depth === 0) {
      [begin, name] = [index + 1, null];
    }
  }
  return found;
}

/** Lines that stay: all others are folded away. `null` for the whole text. */
type Kept = readonly { from: number; to: number }[] | null;

const setKept = StateEffect.define<Kept>();

class Folded extends WidgetType {
  constructor(
    readonly from: number,
    readonly to: number,
    readonly showAll: () => void,
  ) {
    super();
  }
  override eq(other: WidgetType): boolean {
    return other instanceof Folded && other.from === this.from && other.to === this.to;
  }
  toDOM(): HTMLElement {
    const shown = document.createElement("div");
    shown.className = "cm-others";
    shown.setAttribute("role", "button");
    shown.tabIndex = 0;
    shown.textContent = plural(this.to - this.from + 1, "other line");
    shown.setAttribute("aria-label", `${plural(this.to - this.from + 1, "other line")}: show the whole program`);
    shown.title = "Show the whole program";
    shown.onclick = this.showAll;
    shown.onkeydown = (e) => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      e.stopPropagation();
      this.showAll();
    };
    return shown;
  }
}

function folds(doc: Text, kept: Kept, showAll: () => void): DecorationSet {
  const around = [...(kept ?? [])].sort((a, b) => a.from - b.from);
  if (around.length === 0) return Decoration.none;
  const ranges: Range<Decoration>[] = [];
  let next = 1;
  const fold = (to: number): void => {
    // An empty line at the end is not worth one.
    const hides = to >= next && doc.sliceString(doc.line(next).from, doc.line(Math.min(to, doc.lines)).to).trim() !== "";
    if (hides)
      ranges.push(
        Decoration.replace({ widget: new Folded(next, to, showAll), block: true }).range(
          doc.line(next).from,
          doc.line(Math.min(to, doc.lines)).to,
        ),
      );
  };
  for (const { from, to } of around) {
    if (from > doc.lines) break;
    fold(from - 1);
    next = Math.max(next, to + 1);
  }
  if (next <= doc.lines) fold(doc.lines);
  return Decoration.set(ranges);
}

/** Folds what stands around functions; `showAll` is called where a person wants to see the rest. */
export function functionAlone(showAll: () => void): {
  extension: Extension;
  keep: (state: EditorState, kept: Kept) => StateEffect<Kept>[];
} {
  const field = StateField.define<{ kept: Kept; folds: DecorationSet }>({
    create: () => ({ kept: null, folds: Decoration.none }),
    update(now, transaction) {
      const set = transaction.effects.find((effect) => effect.is(setKept));
      if (set) return { kept: set.value as Kept, folds: folds(transaction.state.doc, set.value as Kept, showAll) };
      // Until the functions of the new text are told.
      return transaction.docChanged ? { ...now, folds: now.folds.map(transaction.changes) } : now;
    },
    provide: (of) => [
      EditorView.decorations.from(of, ({ folds }) => folds),
      EditorView.atomicRanges.of((view) => view.state.field(of).folds),
    ],
  });
  return {
    extension: field,
    keep: (state, kept) => (JSON.stringify(state.field(field).kept) === JSON.stringify(kept) && kept === null ? [] : [setKept.of(kept)]),
  };
}
