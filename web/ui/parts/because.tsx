// The explanation of an exclusion: conditions and assignments that no execution passes together, or what is known beside them.

import type { ComponentChildren } from "preact";
import type { CoverExclusion, CoverReason, CoverValue } from "../protocol";
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

/** Whether an explanation says anything. */
export const isExplained = ({ itself, all, either, some, operations, enclosing, values, facts, runs }: CoverExclusion): boolean =>
  itself || runs !== null || [all, either, some, operations, enclosing, values, facts].some((list) => list.length > 0);

/** So many values are listed with the assignments that give them; more are listed alone. */
const WITH_ASSIGNMENTS = 4;

const separated = (parts: ComponentChildren[], between: string): ComponentChildren[] =>
  parts.flatMap((part, at) => (at > 0 ? [between, part] : [part]));

const RUNS = {
  only: "the run, which no input changes",
  "every-input": "the runs on all inputs: none takes it",
};

/** Each way has a row of its own, since the conditions of different ways do not hold together. */
export function Because({ excludedBy, tab, own, excluded = "it", within = "" }: Props) {
  const { itself, all, either, some, operations, enclosing, values, facts, runs } = excludedBy;
  const reason = ({ line, text, edge, in_another_call }: CoverReason) => (
    <span key={edge} class="reason">
      <button type="button" class="link" onClick={() => (selected.in(tab).value = { kind: "edge", id: edge })}>
        line {line}
      </button>{" "}
      <code>{text}</code>
      {in_another_call && " in another call"}
    </span>
  );
  const alternative = ({ value, assigned }: CoverValue, isShort: boolean) => (
    <span key={value}>
      {value === null ? "set by " : <code>{value}</code>}
      {value !== null && isShort && assigned.length > 0 && " by "}
      {isShort && separated(assigned.map(reason), " or ")}
    </span>
  );
  const areValues = values.some((part) => part.values.some((one) => one.value !== null));
  const ways = either.length > 0 ? either : some.map((one) => [one]);
  const first = `${all.length > 0 ? "and " : ""}${either.length > 0 ? "either" : some.length > 1 ? "some of these on each path:" : ""}`;
  const next = either.length > 0 ? "or" : "";
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
            <span class="or">{at > 0 ? next : first}</span> {way.flatMap((one, at) => (at > 0 ? [" and ", reason(one)] : [reason(one)]))}
          </li>
        ))}
        {itself && <li>{own}</li>}
        {operations.length > 0 && (
          <li>
            {separated(operations.map(reason), " or ")}
            {operations.length === 1
              ? ", an operation that is undefined where the condition holds"
              : ", operations that are undefined where the condition holds"}
          </li>
        )}
        {enclosing.length > 0 && (
          <li>
            {separated(enclosing.map(reason), " or ")}
            {enclosing.length === 1 ? ", which no execution takes" : ", and no execution takes any of these"}
          </li>
        )}
        {facts.map((holds, at) => (
          <li key={at}>
            {at > 0 ? <span class="or">or </span> : "what always holds here: "}
            {separated(
              holds.map((fact) => <code key={fact}>{fact}</code>),
              " and ",
            )}
          </li>
        ))}
        {runs !== null && !areValues && <li>{RUNS[runs]}</li>}
        {values.map(({ name, values: found }) => (
          <li key={name}>
            {runs !== null && areValues ? "in every run" : "here"} <code>{name}</code> is{" "}
            {separated(
              found.map((one) => alternative(one, found.length <= WITH_ASSIGNMENTS)),
              " or ",
            )}
          </li>
        ))}
        {!isExplained(excludedBy) && <li>what is decided and assigned before it</li>}
      </ul>
    </>
  );
}
