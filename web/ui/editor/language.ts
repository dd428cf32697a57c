// Highlighting and indentation for the C subset and the block language: a small tokenizer instead of a grammar saves
// 30 KB.

import { HighlightStyle, StreamLanguage, type StreamParser, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const KEYWORDS = words(
  "if else while do for return break continue goto switch case default sizeof typedef struct union enum static extern const volatile inline",
);
const BLOCK_KEYWORDS = words("proc returns goto assume call");
const TYPES = words("void char short int long float double signed unsigned _Bool bool size_t");
const KNOWN = words("assert assume abort exit nondet reach_error __VERIFIER_assume __VERIFIER_error true false NULL");

export type Language = "c" | "blocks";

interface State {
  comment: boolean;
  depth: number;
  /** As the first word says, once it was read. */
  language: Language | null;
}

/** The language of a text, as the engine decides it: the block language begins with `proc` and a name. */
export function languageOf(source: string): Language {
  const start = /^(?:\s+|\p{Cc}[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)*/u.exec(source)?.[0].length ?? 0;
  return BEGINS_BLOCKS.test(source.slice(start, start + 100)) ? "blocks" : "c";
}
const BEGINS_BLOCKS = /^proc(?!\w)(?!\s*\()/;

/** Every pattern begins with `^`: one that did not would look for its match in all the rest of a long line, at each token. */
function token(stream: StringStream, state: State): string | null {
  if (state.comment) {
    state.comment = !stream.match(/^.*?\*\//);
    if (state.comment) stream.skipToEnd();
    return "comment";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) {
    state.comment = true;
    return "comment";
  }
  if (stream.sol() && stream.match(/^(?:#|\p{Cc}).*/u)) return "meta";
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
  if (stream.match(/^(?:0[xX][\da-fA-F]+|\d+)[uUlL]*/)) return "number";
  state.language ??= stream.match(BEGINS_BLOCKS, false) ? "blocks" : "c";
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word && typeof word === "object") {
    const text = word[0];
    if (state.language === "blocks") {
      if (BLOCK_KEYWORDS.has(text)) return "keyword";
      if (stream.match(/^\s*:(?!=)/, false)) return "labelName";
      return text === "true" || text === "false" || text === "nondet" ? "atom" : stream.match(/^\s*\(/, false) ? "function" : null;
    }
    if (KEYWORDS.has(text)) return "keyword";
    if (TYPES.has(text)) return "typeName";
    if (KNOWN.has(text) || text.startsWith("__VERIFIER_")) return "atom";
    return stream.match(/^\s*\(/, false) ? "function" : null;
  }
  const next = stream.next();
  if (next === "{" || next === "(") state.depth++;
  if (next === "}" || next === ")") state.depth = Math.max(0, state.depth - 1);
  return null;
}

export const grammar: StreamParser<State> = {
  name: "c",
  startState: () => ({ comment: false, depth: 0, language: null }),
  token,
  tokenTable: { function: tags.function(tags.variableName), labelName: tags.labelName },
  indent: (state, after, context) => Math.max(0, state.depth - (/^\s*[})]/.test(after) ? 1 : 0)) * context.unit,
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{"] } },
};

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-type)", fontWeight: "600" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.meta, color: "var(--code-meta)" },
  { tag: tags.labelName, color: "var(--code-atom)", fontWeight: "600" },
  { tag: tags.atom, color: "var(--code-atom)" },
  { tag: tags.function(tags.variableName), color: "var(--code-function)" },
]);

export const language = [StreamLanguage.define(grammar), syntaxHighlighting(style)];
