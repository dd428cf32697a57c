// The examples, embedded by scripts/bundle.mjs from examples/*.c with what their headers say.

export interface Example {
  name: string;
  title: string;
  lookAt: string;
  source: string;
}

declare const EXAMPLES: Example[];

export const examples: readonly Example[] = EXAMPLES;
