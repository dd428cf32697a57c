// The check of an evidence file, and the claims that are looked at.

import { computed, signal } from "@preact/signals";
import { forTarget } from "../../editor/files";
import { type CheckedFile, claimPath } from "../../engine/evidence";
import type { Rejected } from "../../protocol";
import type { Run } from "../../state/run";
import { known, type PathSource, sourceOf, stale } from "../../state/state";

/** Its program need not be the one shown. */
export interface CheckRun extends Run<"check"> {
  /** What is checked, such as the file's name. */
  name: string;
  input: Blob;
  rejected: Rejected[];
  file: CheckedFile | null;
}
export const checkRun = signal<CheckRun | null>(null);

/** Whether the checked file is about the program and function now shown. */
const isOfShown = computed(() => {
  const file = checkRun.value?.file;
  const now = known.value;
  return (
    file != null &&
    now !== null &&
    !stale.value &&
    file.function === now.cfg.function &&
    file.ints === now.cfg.ints &&
    file.inlineDepth === now.cfg.inline_depth &&
    file.source === forTarget(sourceOf(now.text), now.target)
  );
});

/** Whether the evidence is about a graph of the displayed function whose edges are other ones than the displayed graph has. */
export const isUnfolded = computed(() => isOfShown.value && checkRun.value!.file!.unfolded);

/** Whether the edges of the evidence are edges of the displayed graph. */
export const checkMatches = computed(() => isOfShown.value && !isUnfolded.value);

export const claims: PathSource = {
  id: "claims",
  at: (index) => {
    const check = checkRun.value;
    const run = known.value;
    const claim = check?.file?.claims.find((other) => other.index === index);
    if (!check || !run || !claim || !checkMatches.value) return null;
    const path = claimPath(
      claim,
      check.rejected.find((other) => other.index === index),
      run.cfg,
    );
    return path && { title: `Claim ${claim.id}`, path, run };
  },
};
