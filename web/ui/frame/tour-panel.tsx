// The tour that is played: the text of its step, a question, and the way on and back.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icons";
import { Marked, MarkedLine } from "../parts/marked";
import { shownVisit, visited } from "../session/session-store";
import { linkToStep, type Question } from "../session/tour-file";
import { touring } from "../session/tours";
import { paging, type StepBy } from "../state/stepping";

interface Actions {
  onStep: StepBy;
  onEnd: () => void;
}

/** A question: with choices the one that is pressed is judged; the answer is shown in any case. */
function Asked({ question: { text, choices, right, answer } }: { question: Question }) {
  const chosen = useSignal<number | null>(null);
  const isRight = chosen.value === right;
  return (
    <div class="question">
      <Marked text={text} />
      {choices.length > 0 ? (
        <p class="choices" role="group" aria-label="Choices">
          {choices.map((choice, at) => (
            <button key={at} type="button" aria-pressed={chosen.value === at} onClick={() => (chosen.value = at)}>
              <MarkedLine text={choice} />
            </button>
          ))}
        </p>
      ) : (
        chosen.value === null && (
          <button type="button" onClick={() => (chosen.value = right)}>
            Show the answer
          </button>
        )
      )}
      <div class="answered" role="status" data-right={chosen.value === null ? undefined : isRight}>
        {chosen.value !== null && (
          <>
            {choices.length > 0 && <b>{isRight ? "✓ Right." : "✕ Not so."}</b>}
            <Marked text={answer} />
          </>
        )}
      </div>
    </div>
  );
}

export function TourPanel({ onStep, onEnd }: Actions) {
  const now = touring.value;
  const host = useRef<HTMLDivElement>(null);
  const plays = now !== null;
  useEffect(() => (plays ? paging(onStep) : undefined), [plays]);
  const at = now?.at ?? 0;
  useEffect(() => void host.current?.scrollTo(0, 0), [now?.tour, at]);
  if (!now) return null;
  const { tour, link } = now;
  const step = tour.steps[at]!;
  const all = tour.steps.length;
  return (
    <section
      class="tour"
      aria-label={`Tour: ${tour.title}`}
      data-step={at + 1}
      data-steps={all}
      data-shown={shownVisit.value === visited.value}
      onKeyDown={(e) => {
        if (e.key === "Escape") onEnd();
      }}
    >
      <div class="tour-head">
        <h2>{step.title}</h2>
        <button type="button" aria-label="End the tour" title={`End the tour “${tour.title}”`} onClick={onEnd}>
          <Icon name="close" />
        </button>
      </div>
      <div class="tour-text" ref={host} tabIndex={0} role="group" aria-label="Text of the step">
        <div aria-live="polite">
          <Marked text={step.text} />
        </div>
        {step.question && <Asked key={at} question={step.question} />}
      </div>
      <div class="tour-steps">
        <button type="button" disabled={at === 0} onClick={() => onStep(-1)}>
          Back
        </button>
        <a href={linkToStep(link, at)} title="The link to this step">
          {at + 1} of {all}
        </a>
        {at + 1 < all ? (
          <button type="button" class="primary" onClick={() => onStep(1)}>
            Next
          </button>
        ) : (
          <button type="button" class="primary" onClick={onEnd}>
            End
          </button>
        )}
      </div>
    </section>
  );
}
