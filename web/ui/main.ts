// The page's entry point: it wires the rooms and does nothing else.
//
// Each folder is a room. A file imports from its own room and from the rooms below it, never from a room above
// (tests/ui/rooms.test.ts):
//
//   main.ts          puts the page together
//   frame/           the page around the tabs: app, header, headline, path-bar, problems, splitter, program-editor, print-sheet, look (theme, type
//                    size); following, which reacts to signals and to the window
//   session/         the program that is shown (program, opening, random-program) and the settings of all analyses together; kept in
//                    links (permalink), over a reload (session-store), in the browser's history (history)
//   analyses/<name>/ an analysis in one place: index.ts has its object (analyses/analysis.ts), settings.ts its questions' settings,
//                    session.ts its questions, state.ts its results, pane.tsx its tab, worker.ts its part of the worker.
//                    Beside the folders: registry.ts and worker-registry.ts list them, background.ts runs the analyses that the
//                    headline is made of; lines.ts and line-card.tsx say what all of them know of the program's lines
//   parts/           parts of several tabs: controls, popover, charts, tables, canvas, details, marks in the graph
//   state/           signals of the page (state), of each tab (per-tab), program settings, the engines, runs of analyses (run),
//                    entries of the session store (stored), playback of a path
//   editor/          CodeMirror and its marks, the highlighting, the fold of a header, the embedded examples
//   graph/           model → layout (in layout-worker.ts) → draw → view, viewport, export
//   engine/          engine.ts ⇄ worker (messages, reporter, at-worker, evidence files; shim.d.ts types the wasm of web/src/lib.rs)
//   text/            numbers, inputs and the headline's sentences as text
//   browser/         storage, downloads, idle time
//
// Outside the rooms: protocol.ts, the contract with the engine, which every room may import; and four more entry points, worker.ts (the
// engine's thread), service-worker.ts (the page without a network), embed.ts (the page in others) and docs-theme.ts (the script of the docs pages, which scripts/docs.mjs makes).
//
// To add an analysis: see "Adding an analysis" in CONTRIBUTING.md; here it is a folder and a line in analyses/registry.ts.

import { h, render } from "preact";
import { App } from "./frame/app";
import { follow } from "./frame/following";
import { followLook } from "./frame/look";
import { followPrinting } from "./frame/print-sheet";
import { mountEditor } from "./frame/program-editor";
import { offerBeside, toggleBeside } from "./session/beside";
import { copyEmbedding, copyLink, openFiles, openFirst, openWhole } from "./session/opening";
import { goTo, onAddFile, onAnalyse, onExample, onRandom } from "./session/program";
import { onTab } from "./session/session-store";
import { copyStep, endTour, openTour, stepTour } from "./session/tours";
import { followVersions } from "./session/versions";
import { cancelAnalysis, warmUp } from "./state/engines";

followLook();
warmUp();
await openFirst();
const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  render(
    h(App, {
      mountEditor,
      goTo,
      onTab,
      onFiles: (files, dropped) => void openFiles(files, dropped),
      onAddFile,
      onExample,
      onRandom: (diamonds, seed) => void onRandom(diamonds, seed),
      onRun: onAnalyse,
      onCancel: cancelAnalysis,
      onCopyLink: () => void copyLink(),
      onCopyEmbedding: () => void copyEmbedding(),
      onCopyStep: () => void copyStep(),
      onTour: (name) => void openTour(`tour.${name}`, 0, "step"),
      onTourStep: stepTour,
      onTourEnd: endTour,
      onBeside: toggleBeside,
      onOpenWhole: () => void openWhole(),
    }),
    root,
  );
  follow();
  offerBeside();
  followPrinting();
  followVersions();
}
