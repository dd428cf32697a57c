// The program's editor: CodeMirror, its marks for lines that the other panes point at, and the diagnostics.

import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic as Lint, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import {
  Compartment,
  EditorState,
  type Extension,
  Prec,
  type Range,
  RangeSet,
  StateEffect,
  StateField,
  type Text,
  Transaction,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  showTooltip,
  type Tooltip,
} from "@codemirror/view";
import type { Diagnostic } from "../protocol";
import { fileHeadings } from "./files";
import { type FunctionLines, functionAlone, functionsOf } from "./functions";
import { foldHeader, headerFolding } from "./header-fold";
import { language } from "./language";

/** Lines the other panes point at: the one that is looked at, and those on the way. */
export interface LineMarks {
  at: number | null;
  passed: readonly number[];
  /** Lines whose constraints contradict each other. */
  reason?: readonly number[];
}

/** More squiggles than this are no help and cost time. */
const MOST_SQUIGGLES = 100;

const setMarks = StateEffect.define<LineMarks>();
const atLine = Decoration.line({ class: "cm-at" });
const reasonLine = Decoration.line({ class: "cm-reason" });
const passedLine = Decoration.line({ class: "cm-passed" });

const lineMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const { doc } = transaction.state;
      const { at, passed, reason = [] } = effect.value;
      const ranges: Range<Decoration>[] = [];
      for (const line of new Set(passed)) {
        if (line !== at && line >= 1 && line <= doc.lines) ranges.push(passedLine.range(doc.line(line).from));
      }
      for (const line of new Set(reason)) if (line >= 1 && line <= doc.lines) ranges.push(reasonLine.range(doc.line(line).from));
      if (at !== null && at >= 1 && at <= doc.lines) ranges.push(atLine.range(doc.line(at).from));
      next = Decoration.set(ranges, true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What stands in the margin beside a line: a sign for each kind of what is on it, and what they mean. */
export interface MarginMark {
  line: number;
  signs: readonly { name: string; text: string }[];
  title: string;
  /** Whether nothing on the line is ever executed. */
  dead?: boolean;
}

class Signs extends GutterMarker {
  constructor(readonly mark: MarginMark) {
    super();
  }
  override eq(other: Signs): boolean {
    return other.mark.title === this.mark.title;
  }
  override toDOM(): Node {
    const all = document.createElement("span");
    all.title = this.mark.title;
    for (const { name, text } of this.mark.signs) {
      const sign = document.createElement("b");
      sign.className = `sign ${name}`;
      sign.dataset.sign = name;
      sign.textContent = text;
      all.append(sign);
    }
    return all;
  }
}

const setMargin = StateEffect.define<readonly MarginMark[]>();

const marginMarks = StateField.define<RangeSet<Signs>>({
  create: () => RangeSet.empty,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMargin)) continue;
      const { doc } = transaction.state;
      const there = effect.value.filter(({ line }) => line >= 1 && line <= doc.lines);
      next = RangeSet.of(
        there.map((mark) => new Signs(mark).range(doc.line(mark.line).from)),
        true,
      );
    }
    return next;
  },
});

const deadLine = Decoration.line({ class: "cm-dead" });
/** The lines on which nothing is ever executed. */
const deadLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let next = lines.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMargin)) continue;
      const { doc } = transaction.state;
      const dead = effect.value.filter(({ line, dead }) => dead && line >= 1 && line <= doc.lines);
      next = Decoration.set(
        dead.map(({ line }) => deadLine.range(doc.line(line).from)),
        true,
      );
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The margin is there only while it has something to say. */
const margin = new Compartment();
const marginGutter = (onSign: EditorEvents["onSign"]) =>
  gutter({
    class: "cm-signs",
    markers: (view) => view.state.field(marginMarks),
    domEventHandlers: {
      mousedown: (view, { from }, { target }) => {
        const sign = target instanceof Element && target.closest<HTMLElement>(".sign");
        if (!sign) return false;
        onSign(view.state.doc.lineAt(from).number, sign.dataset.sign!);
        return true;
      },
    },
  });

/** What stands beside a line while the pointer rests on it: the line, and what makes it. */
export type LineTip = (line: number) => { dom: HTMLElement; destroy: () => void } | null;
const setTip = StateEffect.define<Tooltip | null>();
const lineTip = StateField.define<Tooltip | null>({
  create: () => null,
  update(tip, transaction) {
    let next = transaction.docChanged ? null : tip;
    for (const effect of transaction.effects) if (effect.is(setTip)) next = effect.value;
    return next;
  },
  provide: (field) => showTooltip.from(field),
});
/** The pointer rests on a line after so many milliseconds. */
const RESTS = 350;

/** Shows a tip beside the line on which a mouse rests, in the margin too, until it goes to another one or a key is pressed. */
function followPointer(view: EditorView, tipOf: LineTip): void {
  let shown: number | null = null;
  let rests: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = (): void => {
    clearTimeout(timer);
    rests = null;
    if (shown !== null) view.dispatch({ effects: setTip.of(null) });
    shown = null;
  };
  const show = (line: number): void => {
    if (line > view.state.doc.lines) return;
    const made = tipOf(line);
    if (!made) return;
    const pos = view.state.doc.line(line).from;
    view.dispatch({ effects: setTip.of({ pos, above: false, create: () => made }) });
    shown = line;
  };
  view.dom.addEventListener("pointermove", (e) => {
    if (e.pointerType !== "mouse" || e.buttons > 0 || (e.target instanceof Element && e.target.closest(".cm-tooltip, .cm-panels"))) return;
    const block = view.elementAtHeight(e.clientY - view.documentTop);
    const inText = e.clientY <= view.documentTop + view.contentHeight;
    const line = inText ? view.state.doc.lineAt(block.from).number : null;
    if (line === rests) return;
    hide();
    rests = line;
    if (line !== null) timer = setTimeout(() => show(line), RESTS);
  });
  // A press moves the cursor there, and what is known of the cursor's line stands below.
  for (const end of ["pointerdown", "keydown"] as const) {
    view.dom.addEventListener(end, () => {
      const at = rests;
      hide();
      rests = at;
    });
  }
  view.dom.addEventListener("pointerleave", hide);
  view.scrollDOM.addEventListener("scroll", hide);
}

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "var(--code-size)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--ink-2)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active-gutter)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-cursor, .cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--match)" },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { backgroundColor: "var(--match)", outline: "1px solid var(--line-strong)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line-strong)", borderRadius: "6px" },
});

export interface EditorEvents {
  onChange: (text: Text) => void;
  /** The line a person moved to; `aimed` if by the cursor, not by typing or by following a link. */
  onLine: (line: number, aimed: boolean) => void;
  onRun: () => void;
  /** A sign in the margin was pressed. */
  onSign: (line: number, sign: string) => void;
  /** The whole program is to be shown where only a function is. */
  onShowAll: () => void;
  /** What is known of a line, to stand beside it. */
  tipOf: LineTip;
}

export class Editor {
  readonly view: EditorView;
  readonly #gutter: Extension;
  readonly #alone: ReturnType<typeof functionAlone>;
  #margin = false;
  /** The function that is shown alone; `null` for the whole program. */
  #function: string | null = null;
  /** The line that is pointed at: its function is shown, too. */
  #at: number | null = null;
  /** Lines that never run. */
  #dead: readonly number[] = [];
  #functions: { of: Text; all: FunctionLines[] } | null = null;

  constructor(parent: HTMLElement, text: Text, events: EditorEvents) {
    const run = (): boolean => {
      events.onRun();
      return true;
    };
    this.#gutter = marginGutter(events.onSign);
    this.#alone = functionAlone(events.onShowAll);
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          lintGutter(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          indentUnit.of("  "),
          indentOnInput(),
          bracketMatching({ maxScanDistance: 2000 }),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          language,
          headerFolding,
          fileHeadings,
          lineMarks,
          marginMarks,
          deadLines,
          lineTip,
          this.#alone.extension,
          margin.of([]),
          look,
          Prec.highest(keymap.of([{ key: "Mod-Enter", run, preventDefault: true }])),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ "aria-label": "Program", tabindex: "0", "aria-describedby": "leave-hint" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) events.onChange(update.state.doc);
            if (update.selectionSet || update.docChanged) {
              const mine = update.transactions.filter((t) => t.annotation(Transaction.userEvent) !== undefined);
              const aimed = mine.some((t) => t.isUserEvent("select") && !t.isUserEvent("select.jump"));
              if (mine.length > 0) events.onLine(update.state.doc.lineAt(update.state.selection.main.head).number, aimed);
            }
          }),
        ],
      }),
    });
    this.view.dispatch({ effects: foldHeader(text) });
    followPointer(this.view, events.tipOf);
    // When problems or the path bar take room below, the line that is typed in stays in view.
    let height = 0;
    new ResizeObserver(() => {
      const now = this.view.dom.clientHeight;
      if (now < height && this.view.hasFocus)
        this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head, { y: "nearest", yMargin: 30 }) });
      height = now;
    }).observe(this.view.dom);
  }

  /** Puts another program in; undo brings the old one back. */
  replace(text: Text): void {
    if (text.eq(this.view.state.doc)) return;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      effects: foldHeader(text),
      // A step of its own for undo, however soon it follows another.
      annotations: isolateHistory.of("full"),
      scrollIntoView: true,
    });
  }

  /** Adds text at the end, with the cursor so far in it. */
  append(text: string, at: number): void {
    const { length } = this.view.state.doc;
    this.view.dispatch({
      changes: { from: length, insert: text },
      selection: { anchor: length + at },
      userEvent: "input",
      scrollIntoView: true,
    });
    this.view.focus();
  }

  setDiagnostics(diagnostics: readonly Diagnostic[]): void {
    const { length } = this.view.state.doc;
    const lints = diagnostics.slice(0, MOST_SQUIGGLES).map((d): Lint => {
      const from = Math.min(d.place.start, length);
      const to = Math.min(Math.max(d.place.end, from), length);
      return { from, to, severity: d.severity, message: [d.message, d.label, d.help && `Help: ${d.help}`].filter(Boolean).join("\n") };
    });
    this.view.dispatch(setDiagnostics(this.view.state, lints));
  }

  /** Shows a function alone, or the whole program. */
  showAlone(name: string | null): void {
    this.#function = name;
    this.view.dispatch({ effects: this.#fold() });
  }

  /** What folds all but the function that is shown alone, the one that is pointed at, and those with lines that never run. */
  #fold(): StateEffect<unknown>[] {
    const { state } = this.view;
    if (this.#function === null) return this.#alone.keep(state, null);
    if (this.#functions?.of !== state.doc) this.#functions = { of: state.doc, all: functionsOf(state.doc.toString()) };
    const { all } = this.#functions;
    const own = all.filter(({ name }) => name === this.#function);
    const lines = [this.#at ?? 0, ...this.#dead];
    const other = all.filter(({ from, to }) => lines.some((line) => from <= line && line <= to));
    return this.#alone.keep(state, own.length > 0 ? [...new Set([...own, ...other])] : null);
  }

  mark(marks: LineMarks): void {
    const { doc } = this.view.state;
    this.#at = marks.at;
    const effects: StateEffect<unknown>[] = [setMarks.of(marks), ...this.#fold()];
    if (marks.at !== null && marks.at >= 1 && marks.at <= doc.lines)
      effects.push(EditorView.scrollIntoView(doc.line(marks.at).from, { y: "nearest", yMargin: 40 }));
    this.view.dispatch({ effects });
  }

  /** Puts signs beside lines; without any the margin goes. */
  setMargin(marks: readonly MarginMark[]): void {
    const shown = marks.length > 0;
    const effects: StateEffect<unknown>[] = [setMargin.of(marks)];
    if (shown !== this.#margin) effects.push(margin.reconfigure(shown ? this.#gutter : []));
    this.#dead = marks.flatMap(({ line, dead }) => (dead ? [line] : []));
    if (shown || this.#margin) this.view.dispatch({ effects: [...effects, ...this.#fold()] });
    this.#margin = shown;
  }

  /** Puts the cursor at a place, shown in the middle or at the top, and the focus into the editor. */
  goTo(start: number, y: "center" | "start" = "center"): void {
    const at = Math.min(start, this.view.state.doc.length);
    this.#at = this.view.state.doc.lineAt(at).number;
    this.view.dispatch({ effects: this.#fold() });
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y }), userEvent: "select.jump" });
    this.view.focus();
  }
}
