// From a run to the check of its evidence.

import { change } from "../state/state";
import { checkEvidence } from "./check/session";

export function EvidenceLink({ name, evidence }: { name: string; evidence: Blob | null }) {
  if (!evidence) return null;
  const go = (): void => {
    change({ tab: "check" });
    void checkEvidence(name, evidence);
  };
  return (
    <button type="button" title="Replays every input and checks every certificate anew" onClick={go}>
      Check the evidence
    </button>
  );
}
