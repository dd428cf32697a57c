// The printed sheet: the answer and the whole program with its signs, above what the shown tab shows. The editor has only the lines that are in
// view, so the sheet has lines of its own, made when the browser begins to print.

import { programMargin } from "../analyses/lines";
import { known, text } from "../state/state";

const element = (name: string, className: string, content: string): HTMLElement => {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = content;
  return made;
};

function sheet(): HTMLElement {
  const made = element("section", "print-sheet", "");
  const now = known.peek();
  made.append(element("h1", "", `culdesac: ${now?.cfg.function ?? "a program"}`));
  const answer = document.querySelector("[data-answer]")?.textContent;
  if (answer) made.append(element("p", "answer", answer));
  const marks = new Map(programMargin.peek().map((mark) => [mark.line, mark]));
  const lines = element("pre", "lines", "");
  for (const [at, line] of [...text.peek().iterLines()].entries()) {
    const mark = marks.get(at + 1);
    const row = element("div", mark?.dead ? "line dead" : "line", "");
    row.append(element("span", "number", String(at + 1)));
    row.append(element("span", "signs", mark?.signs.map(({ text }) => text).join("") ?? ""));
    row.append(element("code", "", line));
    lines.append(row);
  }
  const signs = element("p", "meaning", "✓ runs · ✕ never runs · ? open · ! a run fails here");
  made.append(lines, signs);
  return made;
}

/** From now on, as long as the page is open. */
export function followPrinting(): void {
  let shown: HTMLElement | null = null;
  addEventListener("beforeprint", () => {
    shown?.remove();
    shown = sheet();
    document.body.prepend(shown);
  });
  addEventListener("afterprint", () => {
    shown?.remove();
    shown = null;
  });
}
