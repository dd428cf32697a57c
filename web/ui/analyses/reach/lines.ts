// A formula as lines: what does not fit in one stands in several, one for each part of it, set in as deep as it is nested.

/** So many letters stand in one line; narrower windows break them where they must. */
const LINE = 48;

/** What binds least first. */
const OPERATORS = [" → ", " ∨ ", " ∧ "];

export interface Line {
  depth: number;
  text: string;
}

/** Where each operator of a formula stands that is within no brackets. */
function parts(text: string, operator: string): string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!;
    if ("([{".includes(c)) depth++;
    else if (")]}".includes(c)) depth--;
    else if (depth === 0 && text.startsWith(operator, at)) {
      found.push(text.slice(from, at));
      from = at + operator.length;
    }
  }
  return [...found, text.slice(from)];
}

/** The bracket whose partner ends the text; -1 if none does. */
function opening(text: string): number {
  if (!text.endsWith(")")) return -1;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ")") depth++;
    else if (text[at] === "(" && --depth === 0) return at;
  }
  return -1;
}

/** The lines of a formula; `lead` and `trail` are what stands around it. */
export function linesOf(text: string, depth = 0, lead = "", trail = ""): Line[] {
  const line = { depth, text: lead + text + trail };
  if (line.text.length <= LINE) return [line];
  for (const operator of OPERATORS) {
    const all = parts(text, operator);
    if (all.length > 1)
      return all.flatMap((part, at) => linesOf(part, depth, at === 0 ? lead : `${operator.trim()} `, at === all.length - 1 ? trail : ""));
  }
  const open = opening(text);
  if (open < 0) return [line];
  if (open === 0) return linesOf(text.slice(1, -1), depth, `${lead}(`, `)${trail}`);
  return [{ depth, text: lead + text.slice(0, open + 1) }, ...linesOf(text.slice(open + 1, -1), depth + 1, "", `)${trail}`)];
}
