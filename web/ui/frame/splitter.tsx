// The bar between program and results: dragged, or moved with the arrow keys; double click puts it back.

import { signal } from "@preact/signals";
import { load, save } from "../browser/storage";
import { projector } from "../state/state";

/** Per cent of the width; in Present the picture comes first. */
const usual = (): number => (projector.peek() ? 31 : 36);
const key = (): string => (projector.peek() ? "split-present" : "split");
const LEAST = 15;
const MOST = 80;

const bounded = (n: number): number => Math.min(MOST, Math.max(LEAST, Math.round(n * 10) / 10));
const put = (percent: number): void => document.documentElement.style.setProperty("--split", `${percent}%`);

const percent = signal(usual());

/** The width as it was left. */
export function restoreSplit(): void {
  const kept = bounded(Number(load(key())) || usual());
  percent.value = kept;
  put(kept);
}

export function Splitter() {
  const move = (to: number): void => {
    percent.value = bounded(to);
    put(percent.value);
    save(key(), String(percent.value));
  };
  const onPointerDown = (e: PointerEvent): void => {
    const bar = e.currentTarget as HTMLElement;
    bar.setPointerCapture(e.pointerId);
    e.preventDefault();
  };
  const onPointerMove = (e: PointerEvent): void => {
    const bar = e.currentTarget as HTMLElement;
    if (bar.hasPointerCapture(e.pointerId)) move((e.clientX / window.innerWidth) * 100);
  };
  const onKeyDown = (e: KeyboardEvent): void => {
    const step = { ArrowLeft: -2, ArrowRight: 2, Home: LEAST - percent.value, End: MOST - percent.value }[e.key];
    if (step === undefined) return;
    move(percent.value + step);
    e.preventDefault();
  };
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the program"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={Math.round(percent.value)}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDblClick={() => move(usual())}
      onKeyDown={onKeyDown}
    />
  );
}
