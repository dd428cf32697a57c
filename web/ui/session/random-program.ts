// Programs that the engine makes up.

import { quick } from "../state/engines";
import { engineError } from "../state/state";

/** The text of a random program; `null` if the engine was asked something else in the meantime. */
export async function randomProgram(diamonds: number, seed: number): Promise<string | null> {
  const outcome = await quick.ask({ name: "generate", request: null, settings: { diamonds, seed } });
  if (outcome.kind === "failed") engineError.value = outcome.message;
  return outcome.kind === "answer" && outcome.reply.kind === "document" ? outcome.reply.document.text : null;
}
