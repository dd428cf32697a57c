// What each tab has for itself.

import { type Signal, signal } from "@preact/signals";

/** A value for each tab. Without a tab being named it is that of the tab which is shown. */
export class PerTab<T> {
  readonly #tabs = new Map<string, Signal<T>>();
  readonly #shown: () => string;
  readonly #initial: T;

  constructor(initial: T, shown: () => string) {
    this.#initial = initial;
    this.#shown = shown;
  }

  in(tab: string): Signal<T> {
    const there = this.#tabs.get(tab) ?? signal(this.#initial);
    this.#tabs.set(tab, there);
    return there;
  }

  get value(): T {
    return this.in(this.#shown()).value;
  }

  set value(to: T) {
    this.in(this.#shown()).value = to;
  }

  /** Sets it to what it was at first, in all tabs where it is such a value. */
  clear(such: (value: T) => boolean = () => true): void {
    for (const one of this.#tabs.values()) if (such(one.peek())) one.value = this.#initial;
  }
}
