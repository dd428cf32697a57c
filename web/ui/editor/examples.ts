// The examples, embedded by scripts/bundle.mjs from examples/*.c and *.blocks with what their headers say.

import type { Language } from "./language";

export interface Example {
  name: string;
  title: string;
  lookAt: string;
  /** The key of the paper that it is from; empty if it is from none. */
  paper: string;
  /** The line that the Reach tab asks for, empty if the example names none. */
  reach: string;
  source: string;
  /** `c` or `blocks`, as the file is called. */
  language: Language;
}

declare const EXAMPLES: Example[];

export const examples: readonly Example[] = EXAMPLES;
