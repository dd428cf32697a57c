// An input, with buttons that copy it.

import type { Input } from "../protocol";
import { notice } from "../state/state";
import { inputText, type Reads, textsOf } from "../text/inputs";

function copy(text: string, what: string): void {
  void navigator.clipboard.writeText(text).then(
    () => (notice.value = { tone: "info", text: `${what} copied.` }),
    () => (notice.value = { tone: "error", text: "Copying was not allowed." }),
  );
}

/** An input as documents of tests have it. */
export const asJson = ({ written_as: _, ...input }: Input): string => JSON.stringify(input);

/** The input, to be copied as it is shown or as JSON: `culdesac run` takes both. */
export function InputLine({ input, of }: { input: Input; of?: Reads | undefined }) {
  const texts = textsOf(input);
  return (
    <p class="input">
      <code>{inputText(input, of)}</code>{" "}
      {texts.length > 0 && (
        <span>
          that is <code>{texts.join(", ")}</code>
        </span>
      )}
      <span class="copies">
        <button type="button" class="small" onClick={() => copy(inputText(input, of), "Input")}>
          Copy
        </button>
        <button type="button" class="small" title="As `culdesac run --input` takes it" onClick={() => copy(asJson(input), "Input as JSON")}>
          Copy as JSON
        </button>
      </span>
    </p>
  );
}
