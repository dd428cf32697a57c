// Several files in one editor: a line with a mark begins each, which is drawn as a heading with the file's name. The engine reads the same
// text, so that every line and every place is that of the editor.

import { type Extension, Prec, type Range, RangeSet, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** What begins the line of a mark: the separator of files in ASCII. */
export const MARK = "\u001c";
const FILE = `${MARK}=`;
/** Headers within headers are read so deep. */
const MAX_DEPTH = 20;

export interface NamedText {
  name: string;
  text: string;
}

/** The text for the engine: the target stands behind its last line, where it moves no other. */
export function forTarget(source: string, target: string | null): string {
  return target === null ? source : `${source}${source.endsWith("\n") ? "" : "\n"}${MARK}-T${target}\n`;
}

/** The text for the editor, and the target. */
export function fromTarget(source: string): { source: string; target: string | null } {
  const found = new RegExp(`^([^]*\\n)${MARK}-T(.+)\\n$`).exec(source);
  return found ? { source: found[1]!, target: found[2]! } : { source, target: null };
}

const lined = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
const plain = (name: string): string => name.replaceAll(/[^\w.+/-]/g, "_");

/** Files as one program, in the order of their names; headers stand in place of their `#include`. */
export function joined(files: readonly NamedText[]): { source: string; names: string[]; missing: string[] } {
  const missing = new Set<string>();
  // Beside the file that includes it, else by its path as far as that is written, else by its last name: the folders that a compiler is given
  // are not known here.
  const headerOf = (path: string, from: string): NamedText | undefined => {
    const ends = (end: string) => (file: NamedText) => `/${file.name}`.endsWith(`/${end}`);
    const beside = new URL(path, `file:///${from}`).pathname.slice(1);
    return (
      files.find(({ name }) => name === beside) ??
      files.find(ends(path.replace(/^(?:\.{1,2}\/)+/, ""))) ??
      files.find(ends(path.replace(/^.*\//, "")))
    );
  };
  const read = ({ name: from, text }: NamedText, depth: number): string =>
    text.replaceAll(/\r\n?/g, "\n").replace(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)".*$/gm, (line, path: string) => {
      const header = headerOf(path, from);
      if (header && depth < MAX_DEPTH) return `/* ${plain(header.name)} */\n${read(header, depth + 1).trimEnd()}`;
      missing.add(header?.name ?? path.replace(/^.*\//, ""));
      return line;
    });
  const units = files.filter(({ name }) => name.endsWith(".c")).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const texts = units.map((unit) => lined(read(unit, 0)));
  const source = units.length === 1 ? texts[0]! : units.map(({ name }, at) => `${FILE}${plain(name)}\n${texts[at]}`).join("");
  return { source, names: units.map(({ name }) => name), missing: [...missing] };
}

/** A file of a program, or the first place at which a header stands: its name, its first line, and where that begins in the text. */
export interface FilePlace {
  name: string;
  line: number;
  start: number;
  isHeader: boolean;
}

/** The files of a program in the order of their lines, headers where they stand in place of their first `#include`; none of a program that
 * is one file. */
export function filesOf(text: Text): FilePlace[] {
  const found: FilePlace[] = [];
  let [line, start] = [0, 0];
  for (const one of text.iterLines()) {
    line++;
    const header = /^\/\* ([\w.+/-]+\.h) \*\/$/.exec(one)?.[1];
    if (one.startsWith(FILE)) found.push({ name: one.slice(FILE.length), line, start, isHeader: false });
    else if (header && !found.some(({ name }) => name === header)) found.push({ name: header, line, start, isHeader: true });
    start += one.length + 1;
  }
  return found.some(({ isHeader }) => !isHeader) ? found : [];
}

/** What is added to a text so that another file begins, and how far in it the name ends. */
export function withFile(source: string): { text: string; at: number } {
  const used = new Set(source.split("\n").flatMap((line) => (line.startsWith(FILE) ? [line.slice(FILE.length)] : [])));
  let number = 2;
  while (used.has(`file${number}.c`)) number++;
  const heading = `${source === "" || source.endsWith("\n") ? "" : "\n"}${FILE}file${number}.c\n`;
  return { text: heading, at: heading.length };
}

const heading = Decoration.line({ class: "cm-file" });
const hidden = Decoration.replace({});

function headings(view: EditorView): { lines: DecorationSet; marks: DecorationSet } {
  const lines: Range<Decoration>[] = [];
  const marks: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (line.text.startsWith(FILE)) {
        lines.push(heading.range(line.from));
        marks.push(hidden.range(line.from, line.from + FILE.length));
      }
      at = line.to + 1;
    }
  }
  return { lines: RangeSet.of([...lines, ...marks], true), marks: RangeSet.of(marks) };
}

class Headings {
  #drawn: ReturnType<typeof headings>;
  constructor(view: EditorView) {
    this.#drawn = headings(view);
  }
  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) this.#drawn = headings(update.view);
  }
  get lines(): DecorationSet {
    return this.#drawn.lines;
  }
  get marks(): DecorationSet {
    return this.#drawn.marks;
  }
}

const plugin = ViewPlugin.fromClass(Headings, { decorations: ({ lines }) => lines });

/** What draws the headings; the cursor does not stop within a mark. */
export const fileHeadings: Extension = [
  // Before the signs for control characters.
  Prec.high(plugin),
  EditorView.atomicRanges.of((view) => view.plugin(plugin)?.marks ?? RangeSet.empty),
];
