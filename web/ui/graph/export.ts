// The picture as a file of its own: the whole graph, whatever part is in view, with the styles it is drawn with.

import { download } from "../browser/download";
import type { Box } from "./viewport";

/** A picture to be saved. */
export interface Exported {
  /** Gives its attributes to the file. */
  svg: SVGSVGElement;
  markup: string;
  /** What the markup covers; `null` while there is none. */
  box: Box | null;
  /** Which of the page's rules style it; a graph's where nothing is said. */
  rules?: keyof typeof RULES;
  /** The same for Graphviz, under a name, if it is a graph. */
  dot?: (name: string) => string;
}

/** By their elements, the pictures as they are when all of them is drawn: in the document large ones are only as far as they are seen. */
export const wholePictures = new WeakMap<SVGSVGElement, () => Exported>();

/** The page's rules on a kind of picture. */
const RULES = { graph: /\.(red-)?graph(?![\w-])/, chart: /\.chart(?![\w-])/, objects: /\.objects(?![\w-])/ };
const MARGIN = 16;
/** Canvases beyond this fail in some browsers. */
const LARGEST_SIDE = 8000;

/** These rules of the page, with the theme's colours put in. */
function styles(wanted: RegExp): string {
  const theme = getComputedStyle(document.documentElement);
  const rules: string[] = [];
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSStyleRule && wanted.test(rule.selectorText)) rules.push(rule.cssText);
    }
  }
  return rules.join("\n").replace(/var\((--[\w-]+)(?:,[^()]*)?\)/g, (whole, name: string) => theme.getPropertyValue(name).trim() || whole);
}

export function svgText({ svg, markup, box, rules = "graph" }: Exported): { text: string; width: number; height: number } | null {
  if (!box) return null;
  const width = Math.ceil(box.width + 2 * MARGIN);
  const height = Math.ceil(box.height + 2 * MARGIN);
  const copy = svg.cloneNode(false) as SVGSVGElement;
  copy.innerHTML = markup;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("viewBox", `${box.x - MARGIN} ${box.y - MARGIN} ${width} ${height}`);
  copy.setAttribute("role", "img");
  // What follows tells of keys.
  copy.setAttribute("aria-label", copy.getAttribute("aria-label")?.split(". ")[0] ?? "");
  copy.removeAttribute("tabindex");
  copy.removeAttribute("style");
  for (const element of copy.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex");
  for (const unseen of copy.querySelectorAll(".hit, .off")) unseen.remove();
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = styles(RULES[rules]);
  copy.prepend(style);
  const background = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x: box.x - MARGIN, y: box.y - MARGIN, width, height }))
    background.setAttribute(name, String(value));
  background.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--surface").trim());
  style.after(background);
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

export function saveSvg(picture: Exported, name: string): void {
  const made = svgText(picture);
  if (made) download(new Blob([made.text], { type: "image/svg+xml" }), `${name}.svg`);
}

export async function savePng(picture: Exported, name: string): Promise<void> {
  const made = svgText(picture);
  if (!made) return;
  const scale = Math.min(2, LARGEST_SIDE / made.width, LARGEST_SIDE / made.height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(made.text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(made.width * scale));
  canvas.height = Math.max(1, Math.floor(made.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) download(blob, `${name}.png`);
}
