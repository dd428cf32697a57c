// The page's frame: the bar, the answer, program on the left, tabs on the right, the strip of steps below; on phones one tab at
// a time, the program being the first.

import { computed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { LineCard } from "../analyses/line-card";
import { analyses, analysisOf, isVeiled, METHODS } from "../analyses/registry";
import { type Dropped, droppedFiles } from "../browser/dropped";
import { embedded, isBeside } from "../browser/embedded";
import { languageOf } from "../editor/language";
import { NOT_LOADED } from "../engine/engine";
import { Icon } from "../parts/icons";
import { besideAddress } from "../session/beside";
import {
  analysing,
  diagnostics,
  engineError,
  known,
  narrow,
  notice,
  pathInView,
  programShown,
  refused,
  settings,
  stale,
  text,
  typing,
} from "../state/state";
import type { StepBy } from "../state/stepping";
import { plural } from "../text/numbers";
import { Beside } from "./beside";
import { FileTabs } from "./file-tabs";
import { Header, type HeaderActions } from "./header";
import { AnswerLine } from "./headline";
import { PathBar } from "./path-bar";
import { Problems } from "./problems";
import { Splitter } from "./splitter";
import { TourPanel } from "./tour-panel";

export interface AppActions extends HeaderActions {
  /** Puts the editor into its place, once. */
  mountEditor: (host: HTMLElement) => void;
  goTo: (start: number, y?: "center" | "start") => void;
  onTab: (id: string) => void;
  onFiles: (files: readonly File[], dropped?: Dropped) => void;
  onAddFile: () => void;
  onCancel: () => void;
  /** Shows another tab beside, or no longer. */
  onBeside: () => void;
  /** Goes on or back in the tour; whether one is played. */
  onTourStep: StepBy;
  onTourEnd: () => void;
  /** Opens what a frame shows in a tab of its own. */
  onOpenWhole: () => void;
}

function Notice({ onCopyLink }: Pick<AppActions, "onCopyLink">) {
  const broken = engineError.value;
  const said = notice.value;
  return (
    <div class="notices">
      <div role="alert">
        {broken?.startsWith(NOT_LOADED) && (
          <p class="notice error">
            <span>
              <b>{broken}.</b> The next question tries again; your program is kept.
            </span>{" "}
            <button type="button" aria-label="Dismiss" onClick={() => (engineError.value = null)}>
              <Icon name="close" />
            </button>
          </p>
        )}
        {broken !== null && !broken.startsWith(NOT_LOADED) && (
          <p class="notice error">
            <b>The engine stopped:</b> {broken} It has been started again; your program is kept.{" "}
            <button type="button" onClick={onCopyLink}>
              Copy a link that reproduces it
            </button>
            <button type="button" aria-label="Dismiss" onClick={() => (engineError.value = null)}>
              <Icon name="close" />
            </button>
          </p>
        )}
        {said?.tone === "error" && <Said />}
      </div>
      <div role="status">{said?.tone === "info" && <Said />}</div>
    </div>
  );
}

function Said() {
  const said = notice.value;
  if (!said) return null;
  const { action } = said;
  return (
    <p class={`notice ${said.tone}`}>
      <span>{said.text}</span>
      {action && (
        <button
          type="button"
          onClick={() => {
            notice.value = null;
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" aria-label="Dismiss" onClick={() => (notice.value = null)}>
        <Icon name="close" />
      </button>
    </p>
  );
}

function Status({ onCancel }: Pick<AppActions, "onCancel">) {
  const [state, text, look] = analysing.value
    ? (["analysing", "Analysing…", ""] as const)
    : refused.value
      ? (["refused", "✕ The program was refused", " bad"] as const)
      : known.value && !stale.value
        ? (["current", "✓ Up to date", " fine"] as const)
        : (["behind", "", ""] as const);
  return (
    <>
      <span class={`status${look}`} role="status" data-state={typing.value ? "typing" : state}>
        {text}
      </span>
      {analysing.value && (
        <button type="button" class="link late" onClick={onCancel}>
          Cancel
        </button>
      )}
    </>
  );
}

function Tabs({ shown, onTab, onBeside }: { shown: string } & Pick<AppActions, "onTab" | "onBeside">) {
  const all = [...(narrow.value ? [{ id: "program", title: "Program" }] : []), ...analyses];
  const firstMethod = METHODS[0]!.id;
  const onKeyDown = (e: KeyboardEvent): void => {
    const at = all.findIndex((tab) => tab.id === shown);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[e.key];
    if (to === undefined) return;
    const next = all[(to + all.length) % all.length]!;
    onTab(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
    e.preventDefault();
  };
  const list = useRef<HTMLDivElement>(null);
  // On a phone not all of them are in view.
  useEffect(
    () => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [shown, besideAddress.value],
  );
  return (
    <div class="tabs">
      <div role="tablist" aria-label="Views" onKeyDown={onKeyDown} ref={list}>
        {all.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            class={tab.id === firstMethod ? "first-method" : undefined}
            id={`tab-${tab.id}`}
            aria-selected={tab.id === shown}
            aria-controls={`panel-${tab.id}`}
            tabIndex={tab.id === shown ? 0 : -1}
            onClick={() => onTab(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      {!embedded && !narrow.value && (
        <button
          type="button"
          class="to-beside"
          aria-label="Beside"
          aria-pressed={besideAddress.value !== null}
          title="Another tab or another program beside this one"
          onClick={onBeside}
        >
          <Icon name="beside" />
        </button>
      )}
    </div>
  );
}

/** In place of a tab whose program was refused: what stands in the way, and what to do about it. */
function Refusal({ goTo }: Pick<AppActions, "goTo">) {
  const errors = diagnostics.value.filter(({ severity }) => severity === "error");
  return (
    <section class="panel refusal" aria-label="The program was refused" tabIndex={0}>
      <h2>✕ The program was refused</h2>
      <ol>
        {errors.slice(0, 5).map(({ message, label, help, place }, at) => (
          <li key={at}>
            {place.end > 0 && (
              <button type="button" class="link" onClick={() => goTo(place.start)}>
                line {place.line}, column {place.column}
              </button>
            )}{" "}
            <b>{message}</b>
            {label && !message.includes(label) && <>: {label}</>}
            {help && <p>Help: {help}</p>}
          </li>
        ))}
      </ol>
      {errors.length > 5 && <p>and {plural(errors.length - 5, "more", "more")}, below the program</p>}
      <p class="muted">
        Nothing is shown of an earlier text: it would not be about this program. What was found comes back with the text that it is about.
      </p>
    </section>
  );
}

/** The strip of steps: along the path in view, or of what the shown tab steps through. */
function Strip({ shown }: { shown: string }) {
  const { Strip: Own } = analysisOf(shown);
  return pathInView.value || !Own || shown === "program" ? <PathBar /> : <Own />;
}

/** Buttons for the files of a program: to open C files, and to add an empty one. */
function Files({ onFiles, onAddFile }: Pick<AppActions, "onFiles" | "onAddFile">) {
  const input = useRef<HTMLInputElement>(null);
  if (blocks.value) return null;
  return (
    <span class="files">
      <input
        ref={input}
        type="file"
        accept=".c,.h,.info,.json,.gz"
        multiple
        hidden
        onChange={(e) => {
          onFiles([...(e.currentTarget.files ?? [])]);
          e.currentTarget.value = "";
        }}
      />
      <button
        type="button"
        class="link"
        title="C files and their headers, as one program, the coverage of your tests, or a tour; or drop them on the page"
        onClick={() => input.current?.click()}
      >
        Open files…
      </button>
      <button
        type="button"
        class="link"
        title="Begins another file of this program, with macros and static names of its own"
        onClick={onAddFile}
      >
        Add a file
      </button>
    </span>
  );
}

/** Whether files are dragged, and not to a tab that has files of its own. */
const takesDrop = ({ dataTransfer, target }: DragEvent): boolean =>
  dataTransfer?.types.includes("Files") === true && !(target instanceof Element && target.closest(".takes-files"));

/** The language is told by the first word; no header is longer than this. */
const blocks = computed(() => languageOf(text.value.sliceString(0, 20_000)) === "blocks");

export function App(actions: AppActions) {
  const host = useRef<HTMLDivElement>(null);
  const visited = useSignal<readonly string[]>([]);
  useEffect(() => {
    if (host.current) actions.mountEditor(host.current);
  }, []);
  const phone = narrow.value;
  const pane = analysisOf(settings.value.tab).id;
  const gone = refused.value && !analysisOf(pane).alone?.();
  const program = !phone || programShown.value;
  const shown = phone && programShown.value ? "program" : pane;
  if (shown !== "program" && !visited.value.includes(shown)) visited.value = [...visited.value, shown];
  return (
    <>
      {(!embedded || isBeside) && <Header {...actions} />}
      <div class="answer-row">
        <AnswerLine />
        <Status onCancel={actions.onCancel} />
        {embedded && !isBeside && (
          <button type="button" class="link" title="Opens the whole page in a tab of its own" onClick={actions.onOpenWhole}>
            Open in culdesac
          </button>
        )}
      </div>
      <main
        class={phone ? "phone" : besideAddress.value === null ? "wide" : "wide with-beside"}
        onDragOver={(e) => takesDrop(e) && e.preventDefault()}
        onDropCapture={(e) => {
          if (!takesDrop(e)) return;
          e.preventDefault();
          e.stopPropagation();
          void droppedFiles(e.dataTransfer!).then((dropped) => actions.onFiles(dropped.files, dropped));
        }}
      >
        <section
          class="program"
          id="panel-program"
          role={phone ? "tabpanel" : undefined}
          aria-labelledby={phone ? "tab-program" : undefined}
          aria-label={phone ? undefined : "Program"}
          hidden={!program}
        >
          <FileTabs goTo={actions.goTo} />
          <div class="editor" ref={host} />
          <LineCard />
          <Problems goTo={actions.goTo} />
          <div class="hint">
            <b>{blocks.value ? "Block language" : "C"}</b> <span id="leave-hint">Tab indents; Escape, then Tab leaves the program.</span>
            <Files {...actions} />
          </div>
        </section>
        <Notice onCopyLink={actions.onCopyLink} />
        <TourPanel onStep={actions.onTourStep} onEnd={actions.onTourEnd} />
        {!phone && <Splitter />}
        <Tabs shown={shown} onTab={actions.onTab} onBeside={actions.onBeside} />
        {analyses.map(({ id, View }) => (
          <section key={id} class="panel" id={`panel-${id}`} role="tabpanel" aria-labelledby={`tab-${id}`} hidden={id !== shown || gone}>
            {isVeiled(id) ? <p class="veil">Hidden until each branch is guessed in the Report.</p> : visited.value.includes(id) && <View />}
          </section>
        ))}
        {gone && shown !== "program" && <Refusal goTo={actions.goTo} />}
        {!gone && <Strip shown={shown} />}
        {!phone && <Beside />}
      </main>
    </>
  );
}
