// The input of a run: a field for each of the function's inputs, or all of it as JSON.

import { useSignal } from "@preact/signals";
import { TextField } from "../../parts/fields";
import { RunControls } from "../../parts/run-controls";
import { known } from "../../state/state";
import { quotedText, type Reads } from "../../text/inputs";
import { plural } from "../../text/numbers";
import { NONDET, rangeOf, readInput, readJson } from "./input";
import { executing } from "./session";
import { runChoice } from "./settings";

export function InputControls({ busy, start }: { busy: boolean; start: () => void }) {
  const { inputs, nondet: draws, stdin: reads = false }: Reads = known.value?.cfg ?? { inputs: [], nondet: false };
  const typed = runChoice.value;
  const { input, wrong } = readInput(typed, inputs);
  const json = useSignal<string | null>(null);
  const parsed = json.value === null ? null : readJson(json.value);
  const ready = wrong.size === 0 && typeof parsed !== "string";
  const set = (name: string, text: string): void => runChoice.change({ values: { ...typed.values, [name]: text } });
  const paste = (text: string): void => {
    json.value = text;
    const read = readJson(text);
    if (typeof read !== "string") runChoice.value = read;
  };
  const given = [
    ...inputs.flatMap(({ name }) => (typed.values[name]?.trim() ? [`${name} = ${typed.values[name]!.trim()}`] : [])),
    ...(typed.nondet.trim() ? [`nondet() returns ${typed.nondet.trim()}`] : []),
    ...(typed.stdin !== "" ? [`stdin = ${quotedText(typed.stdin)}`] : []),
  ];
  const words =
    given.length > 0
      ? given.map((text) => ({ text, changed: true }))
      : [{ text: inputs.length === 0 && !draws && !reads ? "no inputs" : "everything is 0", changed: false }];
  const fields = (go: () => void) => (
    <>
      {inputs.map((name) => {
        const about = [rangeOf(name), name.array ? (name.length === null ? "array" : plural(Number(name.length), "element")) : null]
          .filter(Boolean)
          .join(", ");
        return (
          <TextField
            key={name.name}
            label={about ? `${name.name} (${about})` : name.name}
            className={name.array ? "input-array" : "input-scalar"}
            value={typed.values[name.name] ?? ""}
            error={wrong.get(name.name) ?? null}
            numeric={!name.array}
            onInput={(text) => set(name.name, text)}
            onEnter={go}
          />
        );
      })}
      {(draws || typed.nondet !== "") && (
        <TextField
          label="nondet() returns, in order"
          className="input-array"
          value={typed.nondet}
          error={wrong.get(NONDET) ?? null}
          onInput={(text) => runChoice.change({ nondet: text })}
          onEnter={go}
        />
      )}
      {(reads || typed.stdin !== "") && (
        <span class="field wide">
          <label for="run-stdin">Standard input</label>
          <textarea
            id="run-stdin"
            rows={2}
            spellcheck={false}
            value={typed.stdin}
            onInput={(e) => runChoice.change({ stdin: e.currentTarget.value })}
          />
        </span>
      )}
      {(inputs.length > 0 || draws || reads) && (
        <p class="input-note muted">
          What is left empty is 0{reads ? ", or no text" : ""}.{" "}
          <button
            type="button"
            aria-expanded={json.value !== null}
            onClick={() => (json.value = json.value === null ? JSON.stringify(input) : null)}
          >
            JSON <span aria-hidden="true">{json.value !== null ? "▴" : "▾"}</span>
          </button>
        </p>
      )}
      {json.value !== null && (
        <span class="field wide json">
          <label for="run-json-text">Input as JSON</label>
          <textarea
            id="run-json-text"
            rows={3}
            spellcheck={false}
            value={json.value}
            aria-invalid={typeof parsed === "string"}
            onInput={(e) => paste(e.currentTarget.value)}
          />
          {typeof parsed === "string" && (
            <span class="error" role="alert">
              {parsed}
            </span>
          )}
        </span>
      )}
    </>
  );
  const reset = (): void => {
    json.value = null;
    runChoice.reset();
  };
  return (
    <RunControls
      page="run.html"
      label="Input"
      busy={busy}
      tasks={[executing]}
      ready={ready}
      words={words}
      reset={reset}
      start={start}
      fields={fields}
    />
  );
}
