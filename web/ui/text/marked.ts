// The plain part of Markdown in which tours are told: paragraphs, lists with `-`, **bold**, *emphasis*, `code` and [links](https://…).

export type Inline = { kind: "text" | "bold" | "emphasis" | "code"; text: string } | { kind: "link"; text: string; href: string };
export type Block = { kind: "paragraph"; text: Inline[] } | { kind: "list"; items: Inline[][] };

/** A page of the docs, with an anchor. */
const PAGE = /^([a-z][a-z-]*)\.md(#[\p{L}\p{N}-]+)?$/u;

/** Where a link of a text leads: to the web, or to a page of the docs; `null` if it may not lead there. */
export function hrefOf(target: string): string | null {
  if (/^https:\/\/[^\s"<>]+$/.test(target)) return target;
  const [, page, anchor = ""] = PAGE.exec(target) ?? [];
  return page ? `docs/${page}.html${anchor}` : null;
}

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

export function inline(text: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  const plain = (to: number): void => void (to > at && parts.push({ kind: "text", text: text.slice(at, to) }));
  for (const { 0: all, 1: code, 2: bold, 3: emphasis, 4: link, 5: target, index } of text.matchAll(MARKS)) {
    plain(index);
    at = index + all.length;
    const href = target === undefined ? null : hrefOf(target);
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (bold !== undefined) parts.push({ kind: "bold", text: bold });
    else if (emphasis !== undefined) parts.push({ kind: "emphasis", text: emphasis });
    else if (href !== null) parts.push({ kind: "link", text: link!, href });
    else parts.push({ kind: "text", text: link! });
  }
  plain(text.length);
  return parts;
}

/** The links of a text that lead nowhere. */
export const deadLinks = (text: string): string[] =>
  [...text.matchAll(MARKS)].flatMap(({ 5: target }) => (target !== undefined && hrefOf(target) === null ? [target] : []));

/** Blank lines part paragraphs; a line that begins with `- ` is an item, up to the next one or a blank line. */
export function blocks(text: string): Block[] {
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter(Boolean)
    .flatMap((block): Block[] => {
      const [before = "", ...items] = `\n${block}`.split(/\n- /).map((one) => one.replace(/\s*\n\s*/g, " ").trim());
      return [
        ...(before ? [{ kind: "paragraph" as const, text: inline(before) }] : []),
        ...(items.length > 0 ? [{ kind: "list" as const, items: items.map(inline) }] : []),
      ];
    });
}
