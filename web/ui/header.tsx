// The bar on top: examples, Analyse and Cancel, docs, link, theme, projector.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Example, examples } from "./gallery";
import { Icon } from "./icons";
import { NumberField } from "./parts/fields";
import { running } from "./run";
import { type Theme, analysing, engineVersion, narrow, projector, theme } from "./state";

export interface HeaderActions {
  onExample: (example: Example) => void;
  onRandom: (diamonds: number, seed: number) => void;
  onAnalyse: () => void;
  onCancel: () => void;
  onCopyLink: () => void;
}

/** Closes on Escape, on a click elsewhere and when the focus leaves. */
function useMenu() {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const outside = (e: Event): void => {
      if (open.peek() && e.target instanceof Node && !root.current?.contains(e.target)) open.value = false;
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, []);
  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.key === "Escape" && open.value) {
      open.value = false;
      root.current?.querySelector("button")?.focus();
    }
    if (open.value && !(e.target instanceof HTMLInputElement) && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
      const items = [...(root.current?.querySelectorAll<HTMLElement>(".menu-list :is(button, a)") ?? [])];
      const at = items.indexOf(document.activeElement as HTMLElement);
      items[(at + (e.key === "ArrowDown" ? 1 : items.length - (at < 0 ? 0 : 1))) % items.length]?.focus();
      e.preventDefault();
    }
  };
  return { open, root, onKeyDown };
}

/** A program made up by the engine. */
function Random({ make }: { make: HeaderActions["onRandom"] }) {
  const diamonds = useSignal(5);
  const seed = useSignal(1);
  const bad = useSignal<readonly string[]>([]);
  const ready = bad.value.length === 0;
  const go = (): void => void (ready && make(diamonds.value, seed.value));
  const field = (label: string, of: typeof seed, low: number, high: number) => (
    <NumberField
      label={label}
      value={of.value}
      low={low}
      high={high}
      onEnter={go}
      onChange={(n) => {
        bad.value = [...bad.value.filter((other) => other !== label), ...(n === null ? [label] : [])];
        if (n !== null) of.value = n;
      }}
    />
  );
  return (
    <li class="random">
      <b>A random program <span class="tag">blocks</span></b>
      <span>Diamonds in a row, as in the measurements of the paper behind Cover.</span>
      <div class="form">
        {field("Diamonds", diamonds, 2, 9)}
        {field("Seed", seed, 0, Number.MAX_SAFE_INTEGER)}
        <button type="button" class="again" title="Another seed" aria-label="Another seed" onClick={() => (seed.value = Math.floor(Math.random() * 1e6))}><Icon name="again" /></button>
        <button type="button" class="make" disabled={!ready} onClick={go}>Make it</button>
      </div>
    </li>
  );
}

function Examples({ onExample, onRandom }: Pick<HeaderActions, "onExample" | "onRandom">) {
  const { open, root, onKeyDown } = useMenu();
  if (examples.length === 0) return null;
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button type="button" aria-expanded={open.value} aria-haspopup="true" onClick={() => (open.value = !open.value)}>
        Examples <span aria-hidden="true">▾</span>
      </button>
      {open.value && (
        <ul class="menu-list">
          {examples.map((example) => (
            <li key={example.name}>
              <button
                type="button"
                onClick={() => {
                  open.value = false;
                  onExample(example);
                }}
              >
                <b>{example.title} {example.language === "blocks" && <span class="tag">blocks</span>}</b>
                {example.lookAt && <span>{example.lookAt}</span>}
              </button>
            </li>
          ))}
          <Random
            make={(diamonds, seed) => {
              open.value = false;
              onRandom(diamonds, seed);
            }}
          />
        </ul>
      )}
    </div>
  );
}

function Look() {
  return (
    <>
      <label class="theme">
        <span>Theme</span>
        <select value={theme.value} onChange={(e) => (theme.value = e.currentTarget.value as Theme)}>
          <option value="auto">Automatic</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
      <button type="button" aria-pressed={projector.value} title="Large type and thick lines for a projector" onClick={() => (projector.value = !projector.value)}>
        Projector
      </button>
    </>
  );
}

const Docs = () => <a class="button" href="docs/index.html">Docs</a>;

function More({ onCopyLink }: Pick<HeaderActions, "onCopyLink">) {
  const { open, root, onKeyDown } = useMenu();
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button type="button" aria-label="More" aria-expanded={open.value} aria-haspopup="true" onClick={() => (open.value = !open.value)}>
        <Icon name="more" />
      </button>
      {open.value && (
        <div class="menu-list right">
          <button type="button" onClick={() => { open.value = false; onCopyLink(); }}>Copy link</button>
          <Docs />
          <Look />
        </div>
      )}
    </div>
  );
}

export function Header({ onExample, onRandom, onAnalyse, onCancel, onCopyLink }: HeaderActions) {
  const busy = running.value || analysing.value;
  const mac = /Mac|iP(hone|ad)/.test(navigator.platform);
  return (
    <header>
      <h1 title={engineVersion.value ? `engine ${engineVersion.value}` : undefined}>culdesac</h1>
      <Examples onExample={onExample} onRandom={onRandom} />
      <button type="button" class="primary" title={`Analyse now (${mac ? "⌘" : "Ctrl"}+Enter)`} onClick={onAnalyse}>Analyse</button>
      <button type="button" class={running.value ? "cancel busy" : "cancel"} disabled={!busy} onClick={onCancel}>Cancel</button>
      <span class="spring" />
      {narrow.value ? (
        <More onCopyLink={onCopyLink} />
      ) : (
        <>
          <Docs />
          <button type="button" onClick={onCopyLink}>Copy link</button>
          <Look />
        </>
      )}
    </header>
  );
}
