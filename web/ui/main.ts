// The page's entry point: it wires the rooms and does nothing else.
//
// Each folder is a room. A file imports from its own room and from the rooms below it, never from a room above
// (tests/ui/rooms.test.ts):
//
//   main.ts          follows the signals and starts the page
//   frame/           the page around the tabs: app, header, headline, path-bar, problems, splitter, look (theme, type size)
//   session/         the settings of all analyses together; kept in links (permalink), over a reload (session-store), in the
//                    browser's history (history); random-program
//   analyses/<name>/ an analysis in one place: index.ts has its object (analyses/analysis.ts), settings.ts its questions' settings,
//                    session.ts its questions, state.ts its results, pane.tsx its tab, worker.ts its part of the worker.
//                    Beside the folders: registry.ts and worker-registry.ts list them, background.ts runs the analyses that the
//                    headline is made of
//   parts/           parts of several tabs: controls, popover, charts, tables, canvas, details, marks in the graph
//   state/           signals of the page (state), of each tab (per-tab), program settings, the engines, runs of analyses (run),
//                    entries of the session store (stored), playback of a path
//   editor/          CodeMirror and its marks, the highlighting, the fold of a header, the embedded examples
//   graph/           model → layout (in layout-worker.ts) → draw → view, viewport, export
//   engine/          engine.ts ⇄ worker (messages, reporter, at-worker, evidence files; shim.d.ts types the wasm of web/src/lib.rs)
//   text/            numbers, inputs and the headline's sentences as text
//   browser/         storage, downloads, idle time
//
// Outside the rooms: protocol.ts, the contract with the engine, which every room may import; and two more entry points, worker.ts (the
// engine's thread) and docs-theme.ts (the script of the docs pages, which scripts/docs.mjs makes).
//
// To add an analysis: see "Adding an analysis" in CONTRIBUTING.md; here it is a folder and a line in analyses/registry.ts.

import { Text } from "@codemirror/state";
import { computed, effect, untracked } from "@preact/signals";
import { h, render } from "preact";
import { answerNoMore, answerNow } from "./analyses/background";
import { App } from "./frame/app";
import type { Analysis } from "./analyses/analysis";
import { Editor } from "./editor/editor";
import { type Example, examples } from "./editor/examples";
import { whenIdle } from "./browser/idle";
import { followLook } from "./frame/look";
import { fromHash, toHash } from "./session/permalink";
import { analyses, analysisOf } from "./analyses/registry";
import { entry, followHistory, linkOpened, setAddress } from "./session/history";
import { allSettings, readAll, setAll, usual } from "./session/all-settings";
import { keepSession, returnTo, sessionBefore, visit } from "./session/session-store";
import { randomProgram } from "./session/random-program";
import { analyse, cancelAnalysis, warmUp, warmUpFor, warmUpLong } from "./state/engines";
import { INTS } from "./state/settings";
import {
  change,
  current,
  cursorLine,
  diagnostics,
  known,
  narrow,
  notice,
  pathInView,
  placeWanted,
  program,
  programShown,
  programWanted,
  refused,
  selected,
  settings,
  sourceOf,
  stale,
  text,
} from "./state/state";
import { load, save } from "./browser/storage";

/** After this pause in typing the graph follows. */
const PAUSE = 250;
/** Some programs cut links that are longer than this. */
const LONG_LINK = 8000;

let editor: Editor | null = null;
let pause: ReturnType<typeof setTimeout> | undefined;
let toldAboutStorage = false;
/** Set while the text comes from a link, an example or storage, whose name it then keeps. */
let replacing = false;
/** Whether the text is the person's own to keep: a link's program does not displace what was typed before, until edited. */
let own = true;

const textOf = (source: string): Text => Text.of(source.split(/\r\n?|\n/));
const isSource = (of: Text, source: string): boolean => of.length === source.length && sourceOf(of) === source;
const isExample = (of: Text): boolean => examples.some((e) => isSource(of, e.source));

function keepText(): void {
  if (!own) return;
  if (save("source", sourceOf(text.peek())) && save("name", program.peek())) return;
  if (toldAboutStorage) return;
  toldAboutStorage = true;
  notice.value = { tone: "info", text: "This browser does not let the page keep your program: it will be gone when the page is closed. Copy link keeps it." };
}

/** Storing a long program takes a while, and nobody waits for it. */
const keepWhenIdle = (): void => whenIdle(keepText, 500);

function onChange(now: Text): void {
  text.value = now;
  selected.clear();
  if (!replacing) {
    own = true;
    // The address no longer says what the page shows; a reload must bring back the text, not the link's.
    if (location.hash !== "") setAddress("");
  }
  if (!replacing && examples.some((e) => e.name === program.value && !isSource(now, e.source))) program.value = "program";
  clearTimeout(pause);
  pause = setTimeout(() => {
    void analyse();
    keepWhenIdle();
  }, replacing ? 0 : PAUSE);
}

function setProgram(name: string, to: Text): void {
  program.value = name;
  replacing = true;
  if (editor) editor.replace(to);
  else text.value = to;
  replacing = false;
}

async function openLink(): Promise<boolean> {
  const opened = await fromHash(location.hash);
  if (opened.kind === "none") return false;
  if (opened.kind === "refused") {
    notice.value = { tone: "error", text: opened.message };
    return false;
  }
  const { linked } = opened;
  const kept = editor ? null : load("source");
  const before = { name: program.value, text: editor ? text.value : kept !== null ? textOf(kept) : null, settings: allSettings() };
  linkOpened();
  setAll(linked.settings);
  own = false;
  programShown.value = true;
  const to = textOf(linked.source);
  setProgram(linked.source === examples.find((e) => e.name === linked.settings.program)?.source ? linked.settings.program : "program", to);
  if (before.text !== null && !before.text.eq(to) && !isExample(before.text)) {
    const mine = before.text;
    notice.value = {
      tone: "info",
      text: "Opened from a link.",
      action: { label: "Back to my own program", run: () => { own = true; setAll(before.settings); setProgram(before.name, mine); } },
    };
  }
  return true;
}

async function copyLink(): Promise<void> {
  const hash = await toHash({ source: sourceOf(text.value), settings: { ...allSettings(), program: program.value } });
  setAddress(hash);
  const { href } = location;
  const long = href.length > LONG_LINK ? ` It has ${href.length.toLocaleString("en")} characters; some programs cut links that long.` : "";
  try {
    await navigator.clipboard.writeText(href);
    notice.value = { tone: "info", text: `Link copied: it holds the program and the settings.${long}` };
  } catch {
    notice.value = { tone: "info", text: `The link is now in the address bar; copying was not allowed.${long}` };
  }
}

/** Shows another program; what a person typed comes back on request. */
function show(name: string, to: Text, said: string): void {
  const before = { name: program.value, text: text.value };
  const typed = sourceOf(before.text).trim() !== "" && !isExample(before.text) && !before.text.eq(to);
  own = true;
  settings.value = { ...settings.value, function: null, ints: null, inlineDepth: null, assume: null };
  setProgram(name, to);
  notice.value = {
    tone: "info",
    text: said,
    ...(typed ? { action: { label: "Back to my own program", run: () => setProgram(before.name, before.text) } } : {}),
  };
}

function onExample(example: Example): void {
  for (const { opened } of analyses) opened?.(example);
  show(example.name, textOf(example.source), example.lookAt ? `Look at: ${example.lookAt}` : `${example.title}.`);
  programShown.value = true;
  editor?.view.focus();
}

async function onRandom(diamonds: number, seed: number): Promise<void> {
  const made = await randomProgram(diamonds, seed);
  if (made === null) return;
  show("program", textOf(made), `A random program without loops: ${diamonds} diamonds, seed ${seed}.`);
  programShown.value = true;
  editor?.view.focus();
}

function onAnalyse(): void {
  clearTimeout(pause);
  keepWhenIdle();
  void analyse().then((found) => {
    if (found) analysisOf(settings.value.tab).analyse?.();
  });
}

function onTab(id: string): void {
  programShown.value = id === "program";
  if (id === "program") return;
  returnTo(id);
  change({ tab: id });
}

const shownAnalysis = (): Analysis => analysisOf(settings.value.tab);

function mountEditor(host: HTMLElement): void {
  editor = new Editor(host, text.peek(), {
    onChange,
    onRun: onAnalyse,
    onSign: (line, sign) => shownAnalysis().marginChosen?.(line, sign),
    onLine: (line, aimed) => {
      cursorLine.value = line;
      selected.value = null;
      if (aimed) shownAnalysis().aimed?.(line);
    },
  });
  const mounted = editor;
  effect(() => {
    // What stands in the way of a run is shown where it stands, too.
    mounted.setDiagnostics([...diagnostics.value, ...(shownAnalysis().problems?.() ?? [])]);
  });
  effect(() => mounted.setMargin((!refused.value && shownAnalysis().margin?.()) || []));
  effect(() => {
    const shown = pathInView.value;
    const cfg = known.value?.cfg;
    const item = selected.value;
    const pointed = shownAnalysis().pointed?.();
    if (refused.value) mounted.mark({ at: null, passed: [] });
    else if (item && cfg) {
      const line = item.kind === "edge" ? cfg.edges.find((e) => e.id === item.id)?.line : cfg.locations.find((l) => l.id === item.id)?.line;
      mounted.mark({ at: line || null, passed: [] });
    } else if (shown && current(shown.run)) {
      const reason = pointed ? pointed.because.map(({ line }) => line) : shown.path.core.flatMap((step) => shown.path.lines[step] ?? []);
      mounted.mark({ at: shown.path.lines[shown.step] ?? null, passed: shown.path.lines.slice(0, shown.step), reason });
    } else if (pointed) {
      mounted.mark({ at: pointed.line, passed: [], reason: pointed.because.map(({ line }) => line) });
    } else {
      mounted.mark({ at: null, passed: [] });
    }
  });
}

async function start(): Promise<void> {
  followLook();
  warmUp();
  const kept = load("source");
  const first = examples.find((e) => e.name === "merge") ?? examples[0];
  if (!(await openLink())) {
    if (kept !== null && kept.trim() !== "") setProgram(load("name") ?? "program", textOf(kept));
    else setProgram(first?.name ?? "program", textOf(first?.source ?? "int main() {\n  return 0;\n}\n"));
    setAll(usual());
  }
  const before = sessionBefore();
  if (before) setAll(readAll(before.settings));
  const here = entry();
  if (here) change({ tab: here.tab });
  returnTo(settings.value.tab);
  if (before || here) programShown.value = here?.program ?? before?.program ?? true;
  const root = document.getElementById("app");
  if (!root) return;
  root.replaceChildren();
  render(
    h(App, {
      mountEditor,
      goTo: (at) => {
        programShown.value = true;
        requestAnimationFrame(() => editor?.goTo(at));
      },
      onTab,
      onExample,
      onRandom: (diamonds, seed) => void onRandom(diamonds, seed),
      onRun: onAnalyse,
      onCancel: cancelAnalysis,
      onCopyLink: () => void copyLink(),
    }),
    root,
  );
  // Another function, another kind of integers or depth of inlining asks the engine anew; another pane may want to start by itself.
  const chosen = computed(() => JSON.stringify([settings.value.function, settings.value.ints, settings.value.inlineDepth, settings.value.assume]));
  effect(() => {
    void chosen.value;
    untracked(() => void analyse());
  });
  // By then the page is usable; the first run of a tab need not wait for its engine any more.
  void analyse().finally(warmUpLong);
  // The answer follows the graph, and an edit ends it.
  effect(() => {
    if (stale.value) untracked(answerNoMore);
    else if (known.value) untracked(() => void answerNow());
  });
  const shownTab = computed(() => settings.value.tab);
  effect(() => {
    const tab = shownTab.value;
    if (known.value) warmUpFor(tab);
    if (known.value && !(narrow.value && programShown.value)) untracked(() => void visit(tab));
  });
  effect(() => {
    const wanted = programWanted.value;
    if (!wanted) return;
    untracked(() => {
      programWanted.value = null;
      const name = examples.some((e) => e.name === wanted.program && e.source === wanted.source) ? wanted.program : "program";
      show(name, textOf(wanted.source), `The program of ${wanted.program}'s evidence.`);
      change({ function: wanted.function, ints: INTS.find((name) => name === wanted.ints) ?? null, inlineDepth: wanted.inlineDepth });
    });
  });
  effect(() => {
    const at = placeWanted.value;
    if (at === null) return;
    untracked(() => {
      placeWanted.value = null;
      programShown.value = true;
      requestAnimationFrame(() => editor?.goTo(at));
    });
  });
  followHistory(openLink);
  window.addEventListener("pagehide", () => {
    keepText();
    keepSession();
  });
  window.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.defaultPrevented) {
      e.preventDefault();
      onAnalyse();
    }
  });
}

void start();
