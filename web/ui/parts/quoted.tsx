// Words with code in them.

import type { ComponentChildren } from "preact";

/** What stands in backquotes as code. */
export const quoted = (text: string): ComponentChildren[] =>
  text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
