// The branches to be guessed: for each, whether it can run; the verdict and its reason come with the guess.

import type { ReportBranch, ReportDocument } from "../../protocol";
import { placeWanted } from "../../state/state";
import { grouped, plural } from "../../text/numbers";
import { AboutBranch } from "./list";
import { forget, guess, isRight, made, predictChoice, tally } from "./predicting";
import { offsetOf, type ReportRun, SIGNS } from "./state";

type Reported = ReportRun & { document: ReportDocument };

/** What is said of a guess. */
const SAID = { right: "✓ right", wrong: "✕ not so", open: "? open: neither a test nor a proof is known" };

function Question({ branch, at, run }: { branch: ReportBranch; at: number; run: Reported }) {
  const { line, column, text, verdict } = branch;
  const guessed = made.value.get(at);
  const start = offsetOf(run.text, line, column);
  const right = guessed === undefined ? null : isRight(branch, guessed);
  const said = right === null ? "open" : right ? "right" : "wrong";
  return (
    <li class={guessed === undefined ? "" : verdict}>
      <p class="question">
        {start === null ? (
          `line ${line}`
        ) : (
          <button type="button" class="link" onClick={() => (placeWanted.value = start)}>
            line {line}
          </button>
        )}{" "}
        <code>{text}</code>
        <span class="guesses" role="group" aria-label={`Line ${line}, ${text}: can it run?`}>
          {([true, false] as const).map((runs) => (
            <button
              key={String(runs)}
              type="button"
              aria-pressed={guessed === runs}
              disabled={guessed !== undefined}
              onClick={() => guess(at, runs)}
            >
              {runs ? "can run" : "never runs"}
            </button>
          ))}
        </span>{" "}
        <b role="status" class={`said ${said}`}>
          {guessed !== undefined && SAID[said]}
        </b>
      </p>
      {guessed !== undefined && (
        <div class="about">
          <p>
            <span class="verdict" aria-hidden="true">
              {SIGNS[verdict]}
            </span>{" "}
            {verdict}
          </p>
          <AboutBranch branch={branch} run={run} />
        </div>
      )}
    </li>
  );
}

export function Predict({ run }: { run: Reported }) {
  const { list } = run.document;
  const { guessed, judged, right } = tally(list, made.value);
  return (
    <section class="predict" aria-label="Predict">
      <h2 class="sentence" aria-live="polite">
        {guessed === 0
          ? `Which of these ${plural(list.length, "branch", "branches")} can run?`
          : `${grouped(right)} of ${plural(judged, "guess", "guesses")} right, ${grouped(list.length - guessed)} to go.`}
      </h2>
      <p>
        <button type="button" disabled={guessed === 0} onClick={forget}>
          Begin again
        </button>{" "}
        <button type="button" onClick={() => predictChoice.change({ on: false })}>
          Show all answers
        </button>{" "}
        <span class="muted">Copy link makes an exercise of it: the answers are hidden there, too.</span>
      </p>
      <ol class="questions">
        {list.map((branch, at) => (
          <Question key={at} branch={branch} at={at} run={run} />
        ))}
      </ol>
    </section>
  );
}
