// The input of a run: a field for each object that the function reads, a terminal for standard input, or all of it as JSON.

import { useSignal } from "@preact/signals";
import { Switch, TextField } from "../../parts/fields";
import { asJson } from "../../parts/input-line";
import { RunControls } from "../../parts/run-controls";
import { known } from "../../state/state";
import { quotedText } from "../../text/inputs";
import { fieldsFor, NONDET, readJson, wrongIn } from "./input";
import { executing } from "./session";
import { runChoice } from "./settings";
import { executedRun } from "./state";

export function InputControls({ busy, start }: { busy: boolean; start: () => void }) {
  const { inputs, nondet: draws, stdin: reads = false } = known.value?.cfg ?? { inputs: [], nondet: false };
  const typed = runChoice.value;
  const run = executedRun.value;
  const wrong = wrongIn(run?.refused ?? []);
  /** What the engine says of a field, as long as that has the text that was refused. */
  const wrongWith = (name: string, text: string, asked: string | undefined): string | null =>
    text === asked ? (wrong.get(name) ?? null) : null;
  const json = useSignal<string | null>(null);
  const parsed = json.value === null ? null : readJson(json.value);
  const ready = typeof parsed !== "string";
  const set = (name: string, text: string): void => runChoice.change({ values: { ...typed.values, [name]: text } });
  const paste = (text: string): void => {
    json.value = text;
    const read = readJson(text);
    if (typeof read !== "string") runChoice.value = read;
  };
  const objects = fieldsFor(inputs);
  // A part that was pasted under a name of its own.
  const others = Object.keys(typed.values).filter(
    (name) => objects.every((object) => object.name !== name) && (isPart(name, objects) || inputs.some((input) => input.name === name)),
  );
  const shown = [...objects, ...others.map((name) => ({ name, about: "", wide: true }))];
  const given = [
    ...shown.flatMap(({ name }) => {
      const text = typed.values[name]?.trim() ?? "";
      // The field of nodes has their names itself.
      return text === "" ? [] : [name.startsWith("struct ") ? text : `${name} = ${text}`];
    }),
    ...(typed.nondet.trim() ? [`nondet() returns ${typed.nondet.trim()}`] : []),
    ...(typed.stdin !== "" ? [`stdin = ${quotedText(typed.stdin)}`] : []),
    ...(typed.ends ? [] : ["no end of file"]),
  ];
  const words =
    given.length > 0
      ? given.map((text) => ({ text, changed: true }))
      : [{ text: inputs.length === 0 && !draws && !reads ? "no inputs" : "everything is 0", changed: false }];
  const fields = (go: () => void) => (
    <>
      {shown.map(({ name, about, wide }) => (
        <TextField
          key={name}
          label={about ? `${name} (${about})` : name}
          className={wide ? "input-array" : "input-scalar"}
          value={typed.values[name] ?? ""}
          error={wrongWith(name, typed.values[name] ?? "", run?.asked.fields?.values[name])}
          onInput={(text) => set(name, text)}
          onEnter={go}
        />
      ))}
      {(draws || typed.nondet !== "") && (
        <TextField
          label="nondet() returns, in order"
          className="input-array"
          value={typed.nondet}
          error={wrongWith(NONDET, typed.nondet, run?.asked.fields?.nondet)}
          onInput={(text) => runChoice.change({ nondet: text })}
          onEnter={go}
        />
      )}
      {(reads || typed.stdin !== "") && (
        <span class="field wide terminal">
          <label for="run-stdin">Standard input, as typed</label>
          <textarea
            id="run-stdin"
            rows={4}
            spellcheck={false}
            value={typed.stdin}
            onInput={(e) => runChoice.change({ stdin: e.currentTarget.value })}
          />
          <Switch label="End of file after it" checked={typed.ends} onChange={(ends) => runChoice.change({ ends })} />
        </span>
      )}
      {(inputs.length > 0 || draws || reads) && (
        <p class="input-note muted">
          What is left empty is 0{reads ? ", or no text" : ""}.{" "}
          <button
            type="button"
            aria-expanded={json.value !== null}
            onClick={() => (json.value = json.value === null ? (run?.document ? asJson(run.document.input) : "{}") : null)}
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

/** Whether this names a part of one of the objects, as `p.value`. */
const isPart = (name: string, objects: readonly { name: string }[]): boolean =>
  objects.some((object) => name.startsWith(`${object.name}.`));
