// The bar on top: examples, the entry function, integers, the shown tab's settings and Run; then docs, link, look.

import { signal, useSignal } from "@preact/signals";
import { analysisOf } from "../analyses/registry";
import { isBeside } from "../browser/embedded";
import { type Example, examples } from "../editor/examples";
import { NumberField } from "../parts/fields";
import { Icon } from "../parts/icons";
import { useOpening } from "../parts/popover";
import { BarChoices } from "../parts/program-settings";
import { PlainControls } from "../parts/run-controls";
import { engineVersion, narrow, projector, settings, type Theme, theme, wholeProgram } from "../state/state";
import { groupsOf } from "../text/papers";

export interface HeaderActions {
  onExample: (example: Example) => void;
  onRandom: (diamonds: number, seed: number) => void;
  /** Runs what the shown tab shows. */
  onRun: () => void;
  onCopyLink: () => void;
  onCopyEmbedding: () => void;
  /** Copies what is shown as a step of a tour. */
  onCopyStep: () => void;
  /** Begins a tour of the page, by its name. */
  onTour: (name: string) => void;
}

/** A menu: what opens, and arrow keys between its items. */
function useMenu() {
  const opening = useOpening();
  const { open, root } = opening;
  const onKeyDown = (e: KeyboardEvent): void => {
    opening.onKeyDown(e);
    if (
      open.value &&
      !(e.target instanceof HTMLInputElement && e.target.type !== "search") &&
      !(e.target instanceof HTMLSelectElement) &&
      (e.key === "ArrowDown" || e.key === "ArrowUp")
    ) {
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
      <b>
        A random program <span class="tag">blocks</span>
      </b>
      <span>Diamonds in a row, as in the measurements of the paper behind Cover.</span>
      <div class="form">
        {field("Diamonds", diamonds, 2, 9)}
        {field("Seed", seed, 0, Number.MAX_SAFE_INTEGER)}
        <button
          type="button"
          class="again"
          title="Another seed"
          aria-label="Another seed"
          onClick={() => (seed.value = Math.floor(Math.random() * 1e6))}
        >
          <Icon name="again" />
        </button>
        <button type="button" class="make" disabled={!ready} onClick={go}>
          Make it
        </button>
      </div>
    </li>
  );
}

function Examples({ onExample, onRandom, onTour }: Pick<HeaderActions, "onExample" | "onRandom" | "onTour">) {
  const { open, root, onKeyDown } = useMenu();
  const search = useSignal("");
  if (examples.length === 0) return null;
  const groups = groupsOf(examples, search.value);
  const choose = (example: Example): void => {
    open.value = false;
    search.value = "";
    onExample(example);
  };
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button type="button" aria-expanded={open.value} aria-haspopup="true" onClick={() => (open.value = !open.value)}>
        Examples <span aria-hidden="true">▾</span>
      </button>
      {open.value && (
        <ul class="menu-list">
          <li class="find">
            <input
              type="search"
              aria-label="Find an example"
              placeholder="Find by name, paper or author"
              value={search.value}
              onInput={(e) => (search.value = e.currentTarget.value)}
              onKeyDown={(e) => {
                const [first] = groups.flatMap(({ examples }) => examples);
                if (e.key === "Enter" && first) choose(first);
              }}
            />
          </li>
          {groups.map(({ paper, examples: own, tour }) => (
            <li key={paper?.key ?? ""} class="paper">
              <p id={`paper-${paper?.key ?? "none"}`}>
                {paper ? (
                  <>
                    <b>{paper.method}</b> <cite>{paper.title}</cite> <span class="muted">{paper.authors}</span>
                  </>
                ) : (
                  <b>Begin here</b>
                )}
              </p>
              <ul aria-labelledby={`paper-${paper?.key ?? "none"}`}>
                {paper && tour && (
                  <li>
                    <button
                      type="button"
                      class="to-tour"
                      onClick={() => {
                        open.value = false;
                        search.value = "";
                        onTour(paper.method.toLowerCase());
                      }}
                    >
                      <b>▸ Tour of {paper.method}</b>
                      <span>How the paper's method works, in a few steps.</span>
                    </button>
                  </li>
                )}
                {own.map((example) => (
                  <li key={example.name}>
                    <button type="button" onClick={() => choose(example)}>
                      <b>
                        {example.title} {example.language === "blocks" && <span class="tag">blocks</span>}
                      </b>
                      {example.lookAt && <span>{example.lookAt}</span>}
                    </button>
                  </li>
                ))}
              </ul>
            </li>
          ))}
          {groups.length === 0 && (
            <li class="paper">
              <p role="status">No example has these words.</p>
            </li>
          )}
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

function ThemeChoice() {
  return (
    <label class="choice">
      <span>Theme</span>
      <select value={theme.value} onChange={(e) => (theme.value = e.currentTarget.value as Theme)}>
        <option value="auto">Automatic</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

const Present = () => (
  <button
    type="button"
    aria-pressed={projector.value}
    title="Large type and thick lines for a lecture hall; PageDown and PageUp, or a clicker, step on and back"
    onClick={() => (projector.value = !projector.value)}
  >
    Present
  </button>
);

const Docs = () => (
  <a class="button" href="docs/index.html">
    Docs
  </a>
);

/** What the bar has no room for. */
function More({
  onCopyLink,
  onCopyEmbedding,
  onCopyStep,
  all,
}: Pick<HeaderActions, "onCopyLink" | "onCopyEmbedding" | "onCopyStep"> & { all: boolean }) {
  const { open, root, onKeyDown } = useMenu();
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button type="button" aria-label="More" aria-expanded={open.value} aria-haspopup="true" onClick={() => (open.value = !open.value)}>
        <Icon name="more" />
      </button>
      {open.value && (
        <div class="menu-list right">
          {all && (
            <button
              type="button"
              onClick={() => {
                open.value = false;
                onCopyLink();
              }}
            >
              Copy link
            </button>
          )}
          {all && <Docs />}
          {all && <Present />}
          <button
            type="button"
            title="Lines of HTML for slides and course pages"
            onClick={() => {
              open.value = false;
              onCopyEmbedding();
            }}
          >
            Copy for embedding
          </button>
          <button
            type="button"
            title="What is shown, as JSON for a tour of your own"
            onClick={() => {
              open.value = false;
              onCopyStep();
            }}
          >
            Copy as a tour's step
          </button>
          {projector.value && (
            <button
              type="button"
              aria-pressed={wholeProgram.value}
              title="Present shows the function alone"
              onClick={() => (wholeProgram.value = !wholeProgram.value)}
            >
              Whole program
            </button>
          )}
          <ThemeChoice />
          <a class="button" href="docs/licences.html">
            Licences
          </a>
        </div>
      )}
    </div>
  );
}

/** So wide the bar holds all there is, in letters of the usual size. */
const ROOMY = matchMedia("(min-width: 1180px)");
const roomy = signal(ROOMY.matches);
ROOMY.addEventListener("change", () => (roomy.value = ROOMY.matches));

export function Header({ onExample, onRandom, onTour, onRun, onCopyLink, onCopyEmbedding, onCopyStep }: HeaderActions) {
  const compact = isBeside || narrow.value || projector.value || !roomy.value;
  return (
    <header>
      {!isBeside && <h1 title={engineVersion.value ? `engine ${engineVersion.value}` : undefined}>culdesac</h1>}
      <Examples onExample={onExample} onRandom={onRandom} onTour={onTour} />
      <BarChoices />
      <span class="spring" />
      <Controls onRun={onRun} />
      {!compact && <Docs />}
      {!compact && (
        <button type="button" onClick={onCopyLink}>
          Copy link
        </button>
      )}
      {!compact && <Present />}
      {!isBeside && <More onCopyLink={onCopyLink} onCopyEmbedding={onCopyEmbedding} onCopyStep={onCopyStep} all={compact} />}
    </header>
  );
}

/** Of the tab that is shown. */
function Controls({ onRun }: { onRun: () => void }) {
  const { id, Controls: Own, tasks = [] } = analysisOf(settings.value.tab);
  return Own ? (
    <Own key={id} />
  ) : (
    <PlainControls key={id} busy={tasks.some(({ run }) => run.value?.state === "running")} tasks={tasks} start={onRun} />
  );
}
