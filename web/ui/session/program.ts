// The program in the editor: what replaces it, what the browser keeps of it, and the analysis that follows each change.

import { Text } from "@codemirror/state";
import { analyses, analysisOf } from "../analyses/registry";
import type { Dropped } from "../browser/dropped";
import { whenIdle } from "../browser/idle";
import { load, save } from "../browser/storage";
import type { Editor } from "../editor/editor";
import { type Example, examples } from "../editor/examples";
import { joined, type NamedText, withFile } from "../editor/files";
import type { CoverageText } from "../protocol";
import { coverage, coverageFrom } from "../state/coverage";
import { analyse } from "../state/engines";
import { cursorLine, notice, program, programShown, selected, settings, sourceOf, text, typing } from "../state/state";
import { allSettings, readAll, setAll } from "./all-settings";
import { addCoverage } from "./coverage";
import { leftOutSentence, sorted } from "./dropped-files";
import { exampleOpened, type LeftProgram, setAddress } from "./history";
import { exampleHash } from "./permalink";
import { randomProgram } from "./random-program";

/** After this pause in typing the graph follows. */
const PAUSE = 250;

let editor: Editor | null = null;
let pause: ReturnType<typeof setTimeout> | undefined;
let toldAboutStorage = false;
/** Set while the text comes from a link, an example or storage, whose name it then keeps. */
let replacing = false;
/** Whether the text is the person's own to keep: a link's program does not displace what was typed before, until edited. */
let own = true;

export const textOf = (source: string): Text => Text.of(source.split(/\r\n?|\n/));
const isSource = (of: Text, source: string): boolean => of.length === source.length && sourceOf(of) === source;
export const isExample = (of: Text): boolean => examples.some((e) => isSource(of, e.source));

/** From now on programs go to this editor. */
export function editIn(mounted: Editor): void {
  editor = mounted;
}

export const isEdited = (): boolean => editor !== null;

/** Whether what comes now is the person's own. */
export function setOwn(now: boolean): void {
  own = now;
}

/** The coverage that the browser keeps. */
let coverageKept: readonly CoverageText[] | null = null;

/** Whether there is room for the coverage, which is kept once. */
function keepCoverage(): boolean {
  const now = coverage.peek();
  if (now === coverageKept) return true;
  coverageKept = now;
  return save("coverage", JSON.stringify(now));
}

/** The coverage of the kept program comes back with its text. */
export function restoreCoverage(): void {
  if (sourceOf(text.peek()) !== load("source")) return;
  coverage.value = coverageKept = coverageFrom(load("coverage"));
}

/** Coverage was added, or removed: it is the person's own, as the text is. */
function coverageChanged(): void {
  own = true;
  if (location.hash !== "") setAddress("");
  keepText();
}

export function keepText(): void {
  if (!own) return;
  if (save("source", sourceOf(text.peek())) && save("name", program.peek()) && keepCoverage()) return;
  if (toldAboutStorage) return;
  toldAboutStorage = true;
  notice.value = {
    tone: "info",
    text:
      coverage.peek().length > 0
        ? "This browser has no room for your program with its coverage: what is not kept will be gone when the page is closed."
        : "This browser does not let the page keep your program: it will be gone when the page is closed. Copy link keeps it.",
  };
}

/** Storing a long program takes a while, and no step waits for it. */
const keepWhenIdle = (): void => whenIdle(keepText, 500);

/** The text is another one. */
export function onChange(now: Text): void {
  text.value = now;
  selected.clear();
  if (!replacing) {
    own = true;
    // The address no longer says what the page shows; a reload must bring back the text, not the link's.
    if (location.hash !== "") setAddress("");
  }
  if (!replacing && examples.some((e) => e.name === program.value && !isSource(now, e.source))) program.value = "program";
  clearTimeout(pause);
  typing.value = true;
  pause = setTimeout(
    () => {
      typing.value = false;
      void analyse();
      keepWhenIdle();
    },
    replacing ? 0 : PAUSE,
  );
}

export function setProgram(name: string, to: Text): void {
  program.value = name;
  cursorLine.value = null;
  replacing = true;
  if (editor) editor.replace(to);
  else text.value = to;
  replacing = false;
}

/** Shows another program; what a person typed comes back on request. */
export function show(name: string, to: Text, said: string): void {
  const before = { name: program.value, text: text.value, coverage: coverage.peek() };
  leave();
  const typed = sourceOf(before.text).trim() !== "" && !isExample(before.text) && !before.text.eq(to);
  own = true;
  settings.value = { ...settings.value, function: null, ints: null, inlineDepth: null, assume: null, target: null };
  setProgram(name, to);
  notice.value = {
    tone: "info",
    text: said,
    ...(typed ? { action: { label: "Back to my own program", run: () => comeTo(before.name, before.text, before.coverage) } } : {}),
  };
}

/** The coverage of programs that others replaced, by their texts. */
const left = new Map<string, readonly CoverageText[]>();

/** The program that is shown is about to be replaced, and its coverage is not of the next one. */
export function leave(): void {
  if (coverage.peek().length > 0) left.set(sourceOf(text.peek()), coverage.peek());
  coverage.value = [];
}

function comeTo(name: string, to: Text, measured: readonly CoverageText[]): void {
  setProgram(name, to);
  coverage.value = measured;
}

/** Files of a person's: programs as one, with the coverage of their tests. What is left out is said. */
export async function onFiles(files: readonly File[], { inFolder = false, more = false }: Partial<Dropped> = {}): Promise<void> {
  const { programs, coverage: measured, leftOut } = await sorted({ files: [...files], inFolder });
  const left = leftOutSentence(leftOut, more ? files.length : null);
  const opened = programs.length > 0 || measured.length === 0 ? openPrograms(programs, left) : true;
  if (opened && measured.length > 0) await addCoverage(measured, coverageChanged, programs.length > 0 ? notice.peek() : null);
}

/** Removes the coverage; it can be brought back. */
export function removeCoverage(): void {
  const before = coverage.peek();
  const set = (to: readonly CoverageText[]): void => {
    coverage.value = to;
    coverageChanged();
  };
  set([]);
  notice.value = { tone: "info", text: "The coverage is removed.", action: { label: "Undo", run: () => set(before) } };
}

/** Opens programs as one; whether there was any. */
function openPrograms(programs: readonly NamedText[], left: string): boolean {
  const { source, names, missing } = joined(programs);
  if (names.length === 0) {
    notice.value = {
      tone: "error",
      text: `None of these files is a C program: their names end in .c, those of headers in .h.${left}`,
    };
    return false;
  }
  const said = names.length === 1 ? `Opened ${names[0]}.` : `Opened ${names.join(", ")} as one program.`;
  const absent = missing.length === 0 ? "" : ` Not among them: ${missing.join(", ")}.`;
  show(names.length === 1 ? names[0]! : "program", textOf(source), `${said}${absent}${left}`);
  programShown.value = true;
  editor?.view.focus();
  return true;
}

/** Begins another file of the program. */
export function onAddFile(): void {
  const { text: to, at } = withFile(sourceOf(text.peek()));
  programShown.value = true;
  editor?.append(to, at);
}

/** A program that an example replaced is shown again. */
export function comeBack({ name, source, settings: before }: LeftProgram): void {
  own = true;
  const { tab } = settings.peek();
  setAll({ ...readAll(before), tab });
  comeTo(name, textOf(source), left.get(source) ?? []);
}

export function onExample(example: Example): void {
  for (const { opened } of analyses) opened?.(example);
  exampleOpened(exampleHash(example.name, settings.peek().tab), {
    name: program.peek(),
    source: sourceOf(text.peek()),
    settings: allSettings(),
  });
  show(example.name, textOf(example.source), example.lookAt ? `Look at: ${example.lookAt}` : `${example.title}.`);
  programShown.value = true;
  editor?.view.focus();
}

export async function onRandom(diamonds: number, seed: number): Promise<void> {
  const made = await randomProgram(diamonds, seed);
  if (made === null) return;
  show("program", textOf(made), `A random program without loops: ${diamonds} diamonds, seed ${seed}.`);
  programShown.value = true;
  editor?.view.focus();
}

/** The shown tab's question is asked about the text as it stands. */
export function onAnalyse(): void {
  clearTimeout(pause);
  typing.value = false;
  keepWhenIdle();
  void analyse().then((found) => {
    if (found) void analysisOf(settings.value.tab).analyse?.();
  });
}

/** Shows a place of the program. */
export function goTo(at: number, y: "center" | "start" = "center"): void {
  programShown.value = true;
  requestAnimationFrame(() => editor?.goTo(at, y));
}
