// The coverage of a person's own tests that was added to the program: files of LCOV, or of gcov's or llvm-cov's JSON; and with it a file of
// justifications of an earlier version.

import { signal } from "@preact/signals";
import type { CoverageText } from "../protocol";
import { Untrusted } from "./settings";

export const coverage = signal<readonly CoverageText[]>([]);

/** Whether a file has justifications: they begin as the engine writes them. */
export const isJustifications = ({ text }: CoverageText): boolean =>
  /^\s*\{\s*"schema":\s*\d+,\s*"kind":\s*"justifications"/.test(text.slice(0, 1_000));

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
