// What is chosen for the whole page: the entry function, what integers are, how deep recursion is inlined.

import { type DataModel, INLINE_DEPTH, MAX_INLINE_DEPTH } from "../protocol";
import { assuming, INTS, MODELS, parseWhole, targetOf } from "../state/settings";
import { change, known, narrow, settings, stale } from "../state/state";

function FunctionChoice() {
  const cfg = known.value?.cfg;
  if (!cfg) return null;
  // Left out of a document where there are none.
  const refused = cfg.refused ?? [];
  if (cfg.functions.length + refused.length < 2) return null;
  return (
    <label class="choice" title="The function that is analysed; those that it calls are inlined">
      <span>Function</span>
      <select value={cfg.function} onChange={(e) => change({ function: e.currentTarget.value })}>
        {cfg.functions.map((name) => (
          <option key={name}>{name}</option>
        ))}
        {refused.map(({ function: name, line, message }) => (
          <option key={`refused ${name}`} disabled title={`line ${line}: ${message}`}>
            {name} (not understood)
          </option>
        ))}
      </select>
    </label>
  );
}

function IntsChoice() {
  const cfg = known.value?.cfg;
  if (!cfg) return null;
  return (
    <label class="choice" title="Whether arithmetic overflows as it does in C">
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
  const depth = asked ?? cfg.inline_depth ?? INLINE_DEPTH;
  const cut = cfg.inline_depth ?? depth;
  const says = `How often a function is inlined within itself: a search for inputs goes no deeper. Empty: at most ${INLINE_DEPTH}, less where the graph gets large${cut < depth ? `. With more than ${cut} the graph would grow too large` : ""}`;
  const set = (text: string): void => {
    const to = text.trim() === "" ? null : parseWhole(text, 0, MAX_INLINE_DEPTH);
    if (to === null || typeof to === "number") change({ inlineDepth: to });
  };
  return (
    <label class="choice depth" title={says}>
      <span>Recursion</span>
      <input
        type="number"
        min={0}
        max={MAX_INLINE_DEPTH}
        value={depth}
        onChange={(e) => {
          set(e.currentTarget.value);
          // What is no such number is not kept.
          e.currentTarget.value = String(settings.value.inlineDepth ?? depth);
        }}
      />
      {cut < depth && !stale.value && <span class="cut">only {cut}</span>}
    </label>
  );
}

/** The words for how many bits the types have. */
const BITS: Record<DataModel, string> = {
  lp64: "64 bits (lp64)",
  ilp32: "32 bits (ilp32)",
  llp64: "64 bits, Windows (llp64)",
  int16: "16 bits (int16)",
};

/** The target: what the sizes of the types are, and whether plain `char` has a sign. */
export function TargetChoices() {
  const [model = MODELS[0], char] = (settings.value.target ?? MODELS[0]).split(" ") as [DataModel, string?];
  return (
    <fieldset class="assumptions">
      <legend class="sr-only">Target</legend>
      <label class="choice" title="How many bits int, long and pointers have">
        <span>Target</span>
        <select
          value={model}
          onChange={(e) =>
            change({ target: targetOf(MODELS.find((name) => name === e.currentTarget.value) ?? MODELS[0], char !== undefined) })
          }
        >
          {MODELS.map((name) => (
            <option key={name} value={name}>
              {BITS[name]}
            </option>
          ))}
        </select>
      </label>
      <label class="switch" title="Plain char is unsigned, as on ARM">
        <input
          type="checkbox"
          checked={char !== undefined}
          onChange={(e) => change({ target: targetOf(model, e.currentTarget.checked) })}
        />
        <span>
          <code>char</code> unsigned
        </span>
      </label>
    </fieldset>
  );
}

const All = () => (
  <div class="choices">
    <FunctionChoice />
    <IntsChoice />
    <DepthChoice />
  </div>
);

/** What is chosen about the world around the function, where that could matter. */
export function AssumptionChoices() {
  const assumable = known.value?.cfg.assumable ?? [];
  if (assumable.length === 0) return null;
  return (
    <fieldset class="assumptions">
      <legend>Assumed of the world</legend>
      {assumable.map((one) => (
        <label key={one.id} class="switch" title={`${one.id}, in line ${one.line}`}>
          <input
            type="checkbox"
            checked={one.assumed}
            onChange={(e) => change({ assume: assuming(settings.value.assume, one, e.currentTarget.checked) })}
          />
          <span>
            {one.text} <span class="muted">(line {one.line})</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** In the bar, where it has room for them. */
export const BarChoices = () => (narrow.value ? null : <All />);
/** In a phone's settings, where the bar has none. */
export const ProgramChoices = () => (narrow.value ? <All /> : null);
