// What Reach found: the verdict, the necessary condition, the loop summaries, and the backbones.

import { type Signal, useSignal } from "@preact/signals";
import { After } from "../../parts/after";
import { Assumes } from "../../parts/assumes";
import { InputLine } from "../../parts/input-line";
import { quoted } from "../../parts/quoted";
import { Term } from "../../parts/term";
import type { ReachBackbone, ReachSummary, ReachTarget } from "../../protocol";
import { replay } from "../../state/playback";
import { longer } from "../../state/run";
import { current } from "../../state/state";
import { duration, grouped, plural, subscript } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import { Formula } from "./formula";
import { reachTarget } from "./session";
import { reachChoice, STEPS } from "./settings";
import { type Answer, CONDITIONS, indexOf, isShown, look, part, type ReachRun, toggle, VERDICTS } from "./state";

/** So many rows of a list are shown at first. */
const FIRST = 12;

/** So many loop summaries are open at first. */
const OPEN = 2;

/** The lines of a path in its order, each once in a row. */
const along = (lines: readonly number[]): string => lines.filter((line, at) => line !== lines[at - 1]).join(" ");

/** The target as the program has it: its line, or of several on a line the one that is meant. */
function wordsOf({ text, place }: ReachTarget, run: ReachRun, alone: boolean): string {
  return alone && place.line <= run.text.lines ? run.text.line(place.line).text.trim() : text;
}

/** Where the answer has all the room, the graph takes it. */
function replayRun(): void {
  part.value = "picture";
  look(0);
  replay();
}

export function Verdict({ run }: { run: ReachRun }) {
  const { document } = run;
  if (!document) return null;
  const { verdict, target, others, input, path, after, assumes, open, k, search } = document;
  const nearest = input ? null : search?.nearest;
  const { sign, kind } = VERDICTS[verdict];
  const { line } = target.place;
  const words = (
    <code>
      {wordsOf(
        target,
        run,
        others.every(({ place }) => place.line !== line),
      )}
    </code>
  );
  const says = { reached: "is reached", unreachable: "is unreachable", unknown: "stays open" }[verdict];
  const limit = longer(run);
  return (
    <section class="reach-verdict" aria-label="Verdict">
      <p class={`badge ${kind}`}>
        <b aria-hidden="true">{sign}</b>{" "}
        <b>
          Line {line} {says}
        </b>{" "}
        {words}
      </p>
      {verdict === "reached" && input && (
        <>
          <p>For example with</p>
          <InputLine input={input} />
          <After calls={after} />
        </>
      )}
      {verdict === "unreachable" && <p>No execution gets there, whatever the input. The proof was checked.</p>}
      {verdict === "unknown" && open && <p>{quoted(open[0]!.toUpperCase() + open.slice(1))}.</p>}
      {nearest && (
        <>
          <p>The nearest run found ends {plural(nearest.distance, "step")} before it, with</p>
          <InputLine input={nearest.input} />
        </>
      )}
      {verdict === "unknown" && <MoreRounds run={run} />}
      {limit !== null && (
        <p>
          <button type="button" onClick={() => void reachTarget(limit)}>
            Go on, up to {grouped(limit)} steps
          </button>
        </p>
      )}
      <Assumes all={document.assumptions} ids={assumes} />
      <Others all={others} of={target} />
      <p class="summary">
        {(nearest?.path ?? path).length > 0 && (
          <button type="button" class={nearest ? "" : "primary"} disabled={!current(run)} onClick={replayRun}>
            Replay the {nearest ? "nearest " : ""}run
          </button>
        )}
        <EvidenceLink name={`Reach of ${run.cfg.function}`} evidence={run.evidence} />
      </p>
      <p class="muted numbers">
        {path.length > 0 && `${plural(path.length, "step")} · `}
        {k !== null && k > 0 && `at most ${plural(k, "round")} of a loop written out · `}
        {plural(document.statistics.solver.queries, "query", "queries")}
        {run.ms !== null && ` · ${duration(run.ms)}`}
      </p>
    </section>
  );
}

/** Where more rounds may help. */
function MoreRounds({ run }: { run: ReachRun }) {
  const k = STEPS.find((step) => step > run.asked.k);
  if (k === undefined || !run.document!.backbones.some(({ verdict }) => verdict === "open")) return null;
  const go = (): void => {
    reachChoice.change({ k });
    void reachTarget();
  };
  return (
    <p>
      <button type="button" onClick={go}>
        Look at more rounds: K = {grouped(k)}
      </button>
    </p>
  );
}

/** What else could have been meant. */
function Others({ all, of }: { all: readonly ReachTarget[]; of: ReachTarget }) {
  if (all.length === 0) return null;
  const ask = (target: string): void => {
    reachChoice.change({ target });
    void reachTarget();
  };
  const here = all.every(({ place }) => place.line === of.place.line);
  return (
    <p class="others">
      {here ? "Also in this line:" : "Other targets:"}{" "}
      {all.slice(0, FIRST).map(({ name, text, place }) => (
        <button key={name} type="button" class="small" onClick={() => ask(name)}>
          {!here && `line ${place.line} `}
          <code>{text}</code>
        </button>
      ))}
      {all.length > FIRST && ` and ${grouped(all.length - FIRST)} more`}
    </p>
  );
}

export function Condition({ answer, decided, k }: { answer: Answer; decided: boolean; k: number }) {
  const says =
    answer.condition !== "false"
      ? `Every input that gets to line ${answer.target.place.line} satisfies it.`
      : answer.verdict === "unreachable"
        ? "No input satisfies it."
        : "No input satisfies it if the loop summaries are right, which nothing has checked.";
  return (
    <section aria-labelledby="reach-condition">
      <h2 id="reach-condition">
        <Term of="φ̂">Necessary condition φ̂</Term> <span class="muted">{says}</span>
      </h2>
      <Formula text={answer.condition} />
      {/κ/.test(answer.condition) && <WrittenOut answer={answer} decided={decided} k={k} />}
    </section>
  );
}

/** What the search looks at, and what both ways of deciding the condition cost. */
function WrittenOut({
  answer: { written_out, written_out_cut, condition, condition_steps, written_out_steps },
  decided,
  k,
}: {
  answer: Answer;
  decided: boolean;
  k: number;
}) {
  const open = useSignal(false);
  return (
    <>
      {written_out !== condition && (
        <details class="loop" onToggle={(e) => (open.value = e.currentTarget.open)}>
          <summary>
            φ̂<sup>{k}</sup>{" "}
            <span class="muted">
              The same with {k === 1 ? "the first round" : `the first ${grouped(k)} rounds`} of each loop written out
              {written_out_cut && "; … stands for some of them"}.
            </span>
          </summary>
          {open.value && <Formula text={written_out} />}
        </details>
      )}
      {decided && (
        <p class="muted">
          Decided in {plural(condition_steps, "step")} as it is, and in {plural(written_out_steps, "step")} written out round by round.
        </p>
      )}
    </>
  );
}

/** A button that looks at a path. */
function Way({ index, children }: { index: number; children: string }) {
  return (
    <button type="button" class="small" aria-pressed={isShown(index)} onClick={() => toggle(index)}>
      {children}
    </button>
  );
}

function Summary({ answer, of, number }: { answer: Answer; of: ReachSummary; number: number }) {
  const { line, rounds, values, looping_condition, uniform } = of;
  // There may be hundreds of loops: what is closed is not made.
  const open = useSignal(number < OPEN);
  return (
    <details class="loop" open={open.value} onToggle={(e) => (open.value = e.currentTarget.open)}>
      <summary>
        Loop of line {line} <span class="muted">{plural(rounds.length, "kind")} of rounds</span>
      </summary>
      {open.value && (
        <>
          <ul class="rounds">
            {rounds.map(({ counter, lines, condition }, at) => (
              <li key={counter}>
                <code>{subscript(counter)}</code> counts rounds along{" "}
                <Way index={indexOf.round(answer, number, at)}>{`lines ${along(lines)}`}</Way> that begin with
                <Formula text={condition} />
              </li>
            ))}
          </ul>
          {values.length > 0 && (
            <table>
              <thead>
                <tr>
                  <th scope="col">Variable</th>
                  <th scope="col">after so many rounds</th>
                </tr>
              </thead>
              <tbody>
                {values.map(({ name, value, is_known }) => (
                  <tr key={name}>
                    <th scope="row">
                      <code>{name}</code>
                    </th>
                    <td>
                      {is_known ? (
                        <Formula text={value} />
                      ) : (
                        <>
                          <code>★</code> <span class="muted">not known</span>
                        </>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {looping_condition.length > 0 && (
            <p>
              <Term of="looping condition">Looping condition</Term>: there are so many rounds only if
            </p>
          )}
          {looping_condition.map((text, at) => (
            <Formula key={at} text={text} />
          ))}
          {uniform && (
            <p class="muted">
              A <Term of="uniform loop" />: its rounds are alike, so none needs to be written out, and K does not bound them.
            </p>
          )}
        </>
      )}
    </details>
  );
}

export function Summaries({ answer }: { answer: Answer }) {
  const { loop_summaries: all } = answer;
  const shown = useSignal(FIRST);
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="reach-loops">
      <h2 id="reach-loops">
        <Term of="loop summary">{plural(all.length, "loop summary", "loop summaries")}</Term>{" "}
        <span class="muted">
          What any number of rounds does. A path counter <Term of="κ" /> counts the rounds of each kind.
        </span>
      </h2>
      {all.slice(0, shown.value).map((summary, number) => (
        <Summary key={number} answer={answer} of={summary} number={number} />
      ))}
      <ShowAll shown={shown} of={all.length} />
    </section>
  );
}

/** Under a list of which the first rows are shown. */
function ShowAll({ shown, of }: { shown: Signal<number>; of: number }) {
  return (
    of > shown.value && (
      <p>
        <button type="button" onClick={() => (shown.value = of)}>
          Show all {grouped(of)}
        </button>
      </p>
    )
  );
}

function Backbone({ of, at, run, line }: { of: ReachBackbone; at: number; run: ReachRun; line: number }) {
  const { lines, condition, verdict, k } = of;
  const { sign, kind, word } = CONDITIONS[verdict];
  const index = indexOf.backbone(at);
  const shown = isShown(index);
  return (
    <li class={`${kind}${shown ? " chosen" : ""}`}>
      <button type="button" class="row" aria-pressed={shown} disabled={!current(run)} onClick={() => toggle(index)}>
        <span class="index">{at + 1}</span>
        <span class="verdict">
          <b aria-hidden="true">{sign}</b>
        </span>
        <span class="evidence">lines {along([...lines, line])}</span>
        <span class="length">
          {word}
          {k !== null && k > 0 && `, κ ≤ ${grouped(k)}`}
        </span>
      </button>
      {shown && (
        <div class="about">
          <p>Its condition {word}:</p>
          <Formula text={condition} />
        </div>
      )}
    </li>
  );
}

export function Backbones({ run, answer }: { run: ReachRun; answer: Answer }) {
  const { backbones, backbones_cut, target } = answer;
  const shown = useSignal(FIRST);
  return (
    <section aria-labelledby="reach-backbones">
      <h2 id="reach-backbones">
        <Term of="backbone">{backbones.length === 0 ? "No backbone" : plural(backbones.length, "backbone")}</Term>
        {backbones_cut && " and more"}{" "}
        <span class="muted">
          {backbones.length === 0
            ? "No way leads there."
            : "The ways to the target without rounds of loops. Choose one to see it in the program."}
        </span>
      </h2>
      <ol class="drawn" aria-label="Backbones">
        {backbones.slice(0, shown.value).map((backbone, at) => (
          <Backbone key={at} of={backbone} at={at} run={run} line={target.place.line} />
        ))}
      </ol>
      <ShowAll shown={shown} of={backbones.length} />
    </section>
  );
}
