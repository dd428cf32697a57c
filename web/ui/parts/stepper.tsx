// A strip with which one steps through what a run did: buttons, a slider, keys, and a sentence on the step.

import type { ReadonlySignal, Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { stepping } from "../state/stepping";
import { grouped } from "../text/numbers";
import { Icon } from "./icons";

interface Props {
  /** What has the steps. */
  of: string;
  last: number;
  /** So many steps are shown. */
  at: ReadonlySignal<number>;
  goTo: (count: number) => void;
  playing: Signal<boolean>;
  /** Playing takes about so many milliseconds, whatever the number of steps, and no step more than so many. */
  plays?: { all: number; one: number };
  /** The sentence. */
  children: ComponentChildren;
  /** That there are more steps, if so. */
  more?: string | null;
}

export function Stepper({ of, last, at: shown, goTo, playing, plays = { all: 15_000, one: 600 }, children, more = null }: Props) {
  const at = shown.value;
  const on = playing.value;
  useEffect(() => {
    if (!on) return;
    const every = Math.min(plays.one, Math.max(40, plays.all / last));
    const stride = Math.max(1, Math.round((last * every) / plays.all));
    const timer = setInterval(() => {
      goTo(shown.peek() + stride);
      if (shown.peek() >= last) playing.value = false;
    }, every);
    return () => clearInterval(timer);
  }, [on, last]);
  const go = (to: number): void => {
    playing.value = false;
    goTo(to);
  };
  useEffect(
    () =>
      stepping((by) => {
        const to = shown.peek() + by;
        if (to < 0 || to > last) return false;
        go(to);
        return true;
      }),
    [last],
  );
  const play = (): void => {
    if (!on && at >= last) goTo(0);
    playing.value = !on;
  };
  const onKey = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[e.key];
    if (to === undefined) return;
    go(to);
    e.preventDefault();
  };
  return (
    <div class="strip stepper" role="region" aria-label={`Steps of the ${of}`} onKeyDown={onKey}>
      <span class="steps">
        <button type="button" aria-label="First step" disabled={at === 0} onClick={() => go(0)}>
          <Icon name="first" />
        </button>
        <button type="button" aria-label="Step back" disabled={at === 0} onClick={() => go(at - 1)}>
          <Icon name="back" />
        </button>
        <button type="button" aria-label={on ? "Pause" : "Play"} title={on ? "Pause" : "Play"} onClick={play}>
          <Icon name={on ? "pause" : "play"} />
        </button>
        <button type="button" aria-label="Step on" disabled={at >= last} onClick={() => go(at + 1)}>
          <Icon name="on" />
        </button>
        <button type="button" aria-label="Last step" disabled={at >= last} onClick={() => go(last)}>
          <Icon name="last" />
        </button>
      </span>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={`Step of the ${of}`}
        aria-valuetext={`step ${at} of ${last}`}
        onInput={(e) => go(Number(e.currentTarget.value))}
      />
      <span class="count">
        {grouped(at)} / {grouped(last)}
      </span>
      <p class="sentence" role="status" aria-live={on ? "off" : "polite"} tabIndex={0}>
        {children}
      </p>
      {more !== null && <p class="mark open">{more}</p>}
    </div>
  );
}
