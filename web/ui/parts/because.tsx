// The explanation of an exclusion: conditions and assignments that no execution passes together.

import type { ComponentChildren } from "preact";
import type { CoverExclusion, CoverReason } from "../protocol";
import { selected } from "../state/state";

interface Props {
  excludedBy: CoverExclusion;
  /** The tab in which a reason is selected when it is pressed. */
  tab: string;
  /** The excluded statement's own condition, in words. */
  own: ComponentChildren;
  /** The excluded thing, if "it" does not name it. */
  excluded?: string;
  /** The bound that the exclusion rests on. */
  within?: string;
}

/** Each way has a row of its own, since the conditions of different ways do not hold together. */
export function Because({ excludedBy: { itself, all, either, some }, tab, own, excluded = "it", within = "" }: Props) {
  const reason = ({ line, text, edge, in_another_call }: CoverReason) => (
    <span key={edge} class="reason">
      <button type="button" class="link" onClick={() => (selected.in(tab).value = { kind: "edge", id: edge })}>
        line {line}
      </button>{" "}
      <code>{text}</code>
      {in_another_call && " in another call"}
    </span>
  );
  const ways = either.length > 0 ? either : some.map((one) => [one]);
  const first = `${all.length > 0 ? "and " : ""}${either.length > 0 ? "either" : some.length > 1 ? "one or more of" : ""}`;
  return (
    <>
      <p>
        What excludes {excluded}
        {all.length > 1 && ways.length === 0 ? " together" : ""}
        {within}:
      </p>
      <ul class="because">
        {all.map((one) => (
          <li key={one.edge}>{reason(one)}</li>
        ))}
        {ways.map((way, at) => (
          <li key={at} class="way">
            <span class="or">{at > 0 ? "or" : first}</span> {way.flatMap((one, at) => (at > 0 ? [" and ", reason(one)] : [reason(one)]))}
          </li>
        ))}
        {itself && <li>{own}</li>}
        {!itself && all.length + ways.length === 0 && <li>what is decided and assigned before it</li>}
      </ul>
    </>
  );
}
