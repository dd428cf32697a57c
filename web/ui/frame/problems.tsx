// Diagnostics below the editor: message, what is marked, help; a click jumps there.

import type { Diagnostic } from "../protocol";
import { diagnostics } from "../state/state";
import { plural } from "../text/numbers";

const SHOWN = 50;

function Problem({ diagnostic, goTo }: { diagnostic: Diagnostic; goTo: (start: number) => void }) {
  const { severity, message, label, help, place, related } = diagnostic;
  return (
    <li class={severity}>
      <button type="button" onClick={() => goTo(place.start)}>
        <span class="severity">{severity === "error" ? "✕ Error" : "! Warning"}</span>
        <span class="message">
          {message}
          {label && !message.includes(label) && <span class="label"> {label}</span>}
          {help && <span class="help">Help: {help}</span>}
        </span>
        <span class="place">
          line {place.line}:{place.column}
        </span>
      </button>
      {related.map((other) => (
        <button type="button" class="related" key={other.place.start} onClick={() => goTo(other.place.start)}>
          <span class="message">{other.text}</span>
          <span class="place">
            line {other.place.line}:{other.place.column}
          </span>
        </button>
      ))}
    </li>
  );
}

export function Problems({ goTo }: { goTo: (start: number) => void }) {
  const all = diagnostics.value;
  return (
    <div
      class="problems"
      role="region"
      aria-label="Problems"
      aria-live="polite"
      hidden={all.length === 0}
      tabIndex={all.length > 0 ? 0 : -1}
    >
      <ul>
        {all.slice(0, SHOWN).map((d, i) => (
          <Problem key={i} diagnostic={d} goTo={goTo} />
        ))}
      </ul>
      {all.length > SHOWN && <p>and {plural(all.length - SHOWN, "more", "more")}</p>}
    </div>
  );
}
