// The printed sheet: the answer, the whole program with its signs, and the pictures of the shown tab, above the rest of what the tab shows. The
// editor has only the lines that are in view, and a picture is cut where its pane ends; so the sheet has lines and pictures of its own, made when
// the browser begins to print.

import { programMargin } from "../analyses/lines";
import { headerOf } from "../editor/header-fold";
import { wholePictures } from "../graph/export";
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
  // Of an example's header its title is enough.
  const header = headerOf(text.peek());
  const first = header ? text.peek().lineAt(header.to).number : 0;
  for (const [at, line] of [...text.peek().iterLines()].entries()) {
    if (at + 1 < first) continue;
    const mark = marks.get(at + 1);
    const row = element("div", mark?.dead ? "line dead" : "line", "");
    row.append(element("span", "number", String(at + 1)));
    row.append(element("span", "signs", mark?.signs.map(({ text }) => text).join("") ?? ""));
    row.append(element("code", "", at + 1 === first ? `/* ${header?.title} … */` : line));
    lines.append(row);
  }
  const signs = element("p", "meaning", "✓ runs · ✕ never runs · ? open · ! a run fails here");
  made.append(lines, signs);
  return made;
}

/** Room around a picture. */
const MARGIN = 8;

/** The pictures of the shown tab as a whole, however much of them is in view, with their legends. */
function pictures(): HTMLElement {
  const made = element("div", "print-pictures", "");
  for (const canvas of document.querySelectorAll(".panel:not([hidden]) .canvas")) {
    const svg = canvas.querySelector<SVGSVGElement>(":scope > svg.graph");
    if (!svg || !canvas.checkVisibility()) continue;
    const copy = svg.cloneNode(true) as SVGSVGElement;
    copy.classList.remove("far");
    // What was out of view is in the sheet, too.
    for (const away of copy.querySelectorAll(".away")) away.classList.remove("away");
    const drawing = copy.querySelector(":scope > g");
    drawing?.removeAttribute("transform");
    const whole = wholePictures.get(svg)?.();
    if (drawing && whole) drawing.innerHTML = whole.markup;
    const name = canvas.querySelector(".canvas-name")?.cloneNode(true);
    const legend = canvas.querySelector("ul.legend")?.cloneNode(true);
    made.append(...[name, copy, legend].filter((part) => part !== undefined));
  }
  return made;
}

/** Each picture is as large as it is, or as the sheet is wide. */
function fit(made: HTMLElement): void {
  for (const svg of made.querySelectorAll<SVGSVGElement>(":scope > svg")) {
    const { x, y, width, height } = svg.getBBox();
    svg.setAttribute("viewBox", `${x - MARGIN} ${y - MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`);
    svg.setAttribute("width", String(width + 2 * MARGIN));
    svg.setAttribute("height", String(height + 2 * MARGIN));
  }
}

/** From now on, as long as the page is open. */
export function followPrinting(): void {
  let shown: HTMLElement | null = null;
  addEventListener("beforeprint", () => {
    shown?.remove();
    shown = sheet();
    const drawn = pictures();
    shown.append(drawn);
    document.body.prepend(shown);
    fit(drawn);
  });
  addEventListener("afterprint", () => {
    shown?.remove();
    shown = null;
  });
}
