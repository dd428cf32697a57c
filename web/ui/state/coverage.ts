// The coverage of a person's own tests that was added to the program: files of LCOV, or of gcov's or llvm-cov's JSON.

import { signal } from "@preact/signals";
import type { CoverageText } from "../protocol";
import { Untrusted } from "./settings";

export const coverage = signal<readonly CoverageText[]>([]);

/** What a tab wants of the coverage: files to be added, or that there is none. */
export const coverageWanted = signal<readonly File[] | null>(null);

/** From untrusted text, as the browser keeps it. */
export function coverageFrom(kept: string | null): CoverageText[] {
  try {
    const all: unknown = JSON.parse(kept ?? "[]");
    return (Array.isArray(all) ? all : []).flatMap((data) => {
      const one = new Untrusted(data);
      const [name, text] = [one.text("name", null), one.text("text", null)];
      return name !== null && text !== null ? [{ name, text }] : [];
    });
  } catch {
    return [];
  }
}
