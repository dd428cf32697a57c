// The bar between program and results: dragged, or moved with the arrow keys; double click puts it back.

import { useSignal } from "@preact/signals";
import { load, save } from "../browser/storage";

const DEFAULT = 36;
const LEAST = 15;
const MOST = 80;

const bounded = (n: number): number => Math.min(MOST, Math.max(LEAST, Math.round(n * 10) / 10));
const put = (percent: number): void => document.documentElement.style.setProperty("--split", `${percent}%`);

export function restoreSplit(): number {
  const percent = bounded(Number(load("split")) || DEFAULT);
  put(percent);
  return percent;
}

export function Splitter() {
  const percent = useSignal(bounded(Number(load("split")) || DEFAULT));
  const move = (to: number): void => {
    percent.value = bounded(to);
    put(percent.value);
    save("split", String(percent.value));
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
      onDblClick={() => move(DEFAULT)}
      onKeyDown={onKeyDown}
    />
  );
}
