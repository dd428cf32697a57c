// The page's frame: header, notices, program on the left, tabs on the right; on phones one tab at a time, the program
// being the first.

import { useEffect, useRef } from "preact/hooks";
import { computed, useSignal } from "@preact/signals";
import { NOT_LOADED } from "./engine";
import { Header, type HeaderActions } from "./header";
import { Icon } from "./icons";
import { languageOf } from "./language";
import { PathBar } from "./path-bar";
import { analyses, analysisOf } from "./analyses/registry";
import { Problems } from "./problems";
import { Splitter } from "./splitter";
import { INLINE_DEPTH, MAX_INLINE_DEPTH } from "./protocol";
import { INTS, parseWhole } from "./settings";
import { analysing, change, diagnostics, engineError, known, narrow, notice, programShown, settings, stale, text } from "./state";

export interface AppActions extends HeaderActions {
  /** Puts the editor into its place, once. */
  mountEditor: (host: HTMLElement) => void;
  goTo: (start: number) => void;
  onTab: (id: string) => void;
}

function Notice({ onCopyLink }: Pick<AppActions, "onCopyLink">) {
  const broken = engineError.value;
  const said = notice.value;
  return (
    <>
      <div role="alert">
        {broken?.startsWith(NOT_LOADED) && (
          <p class="notice error">
            <span><b>{broken}.</b> The next question tries again; your program is kept.</span>{" "}
            <button type="button" aria-label="Dismiss" onClick={() => (engineError.value = null)}><Icon name="close" /></button>
          </p>
        )}
        {broken !== null && !broken.startsWith(NOT_LOADED) && (
          <p class="notice error">
            <b>The engine stopped:</b> {broken} It has been started again; your program is kept.{" "}
            <button type="button" onClick={onCopyLink}>Copy a link that reproduces it</button>
            <button type="button" aria-label="Dismiss" onClick={() => (engineError.value = null)}><Icon name="close" /></button>
          </p>
        )}
        {said?.tone === "error" && <Said />}
      </div>
      <div role="status">{said?.tone === "info" && <Said />}</div>
    </>
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
        <button type="button" onClick={() => { notice.value = null; action.run(); }}>
          {action.label}
        </button>
      )}
      <button type="button" aria-label="Dismiss" onClick={() => (notice.value = null)}><Icon name="close" /></button>
    </p>
  );
}

function FunctionChoice() {
  const cfg = known.value?.cfg;
  if (!cfg || cfg.functions.length < 2) return null;
  return (
    <label class="function">
      <span>Function</span>
      <select value={cfg.function} onChange={(e) => change({ function: e.currentTarget.value })}>
        {cfg.functions.map((name) => <option key={name}>{name}</option>)}
      </select>
    </label>
  );
}

/** What an integer of the program is. */
function IntsChoice() {
  const cfg = known.value?.cfg;
  if (!cfg) return null;
  return (
    <label class="function" title="Whether arithmetic overflows as it does in C">
      <span>Integers</span>
      <select value={cfg.ints} onChange={(e) => change({ ints: INTS.find((name) => name === e.currentTarget.value) ?? null })}>
        <option value="unbounded">of any size</option>
        <option value="c32">C’s types</option>
      </select>
    </label>
  );
}

/** How often a function is inlined within itself, of programs in which one calls itself. */
function DepthChoice() {
  const cfg = known.value?.cfg;
  const asked = settings.value.inlineDepth;
  if (!cfg || (cfg.inline_depth === null && asked === null)) return null;
  const depth = asked ?? INLINE_DEPTH;
  const cut = cfg.inline_depth ?? depth;
  const says = `How often a function is inlined within itself; runs that go deeper are left out${cut < depth ? `. With more than ${cut} the graph would grow too large` : ""}`;
  const set = (text: string): void => {
    const to = parseWhole(text, 0, MAX_INLINE_DEPTH);
    if (typeof to === "number") change({ inlineDepth: to === INLINE_DEPTH ? null : to });
  };
  return (
    <label class="function depth" title={says}>
      <span>Recursion</span>
      <input type="number" min={0} max={MAX_INLINE_DEPTH} value={depth} onChange={(e) => {
        set(e.currentTarget.value);
        // What is no such number is not kept.
        e.currentTarget.value = String(settings.value.inlineDepth ?? INLINE_DEPTH);
      }} />
      {cut < depth && !stale.value && <span class="cut">only {cut}</span>}
    </label>
  );
}

function Status() {
  const errors = diagnostics.value.filter((d) => d.severity === "error").length;
  const text = analysing.value
    ? "Analysing…"
    : errors > 0
      ? known.value && stale.value
        ? "✕ The program was refused; the graph is of the last good text"
        : "✕ The program was refused"
      : known.value && !stale.value
        ? "✓ Up to date"
        : "";
  return <span class={`status${errors > 0 && !analysing.value ? " bad" : ""}${text.startsWith("✓") ? " fine" : ""}`} role="status">{text}</span>;
}

function Tabs({ shown, onTab }: { shown: string; onTab: (id: string) => void }) {
  const all = [...(narrow.value ? [{ id: "program", title: "Program" }] : []), ...analyses];
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
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" }), [shown]);
  return (
    <div class="tabs">
      <div role="tablist" aria-label="Views" onKeyDown={onKeyDown} ref={list}>
        {all.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
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
      <span class="spring" />
      <div class="choices">
        <FunctionChoice />
        <IntsChoice />
        <DepthChoice />
      </div>
      <Status />
    </div>
  );
}

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
  const program = !phone || programShown.value;
  const shown = phone && programShown.value ? "program" : pane;
  if (shown !== "program" && !visited.value.includes(shown)) visited.value = [...visited.value, shown];
  return (
    <>
      <Header {...actions} />
      <Notice onCopyLink={actions.onCopyLink} />
      <main class={phone ? "phone" : "wide"}>
        <section
          class="program"
          id="panel-program"
          role={phone ? "tabpanel" : undefined}
          aria-labelledby={phone ? "tab-program" : undefined}
          aria-label={phone ? undefined : "Program"}
          hidden={!program}
        >
          <div class="editor" ref={host} />
          <Problems goTo={actions.goTo} />
          <p class="hint"><b>{blocks.value ? "Block language" : "C"}</b> <span id="leave-hint">Tab indents; Escape, then Tab leaves the program.</span></p>
        </section>
        {!phone && <Splitter />}
        <Tabs shown={shown} onTab={actions.onTab} />
        {analyses.map(({ id, View }) => (
          <section key={id} class="panel" id={`panel-${id}`} role="tabpanel" aria-labelledby={`tab-${id}`} hidden={id !== shown}>
            {visited.value.includes(id) && <View />}
          </section>
        ))}
        <PathBar />
      </main>
    </>
  );
}
