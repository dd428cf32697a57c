// The element <culdesac-view>, for slides and course pages: a frame with a program and its report. The program is the text of the element, or a
// link is named:
//
//   <script src="…/embed.js" defer></script>
//   <culdesac-view link="#merge.graph"></culdesac-view>
//   <culdesac-view tab="report" function="f">int f(int x) { return x > 3 && x < 2; }</culdesac-view>

import { packed } from "./text/packing";

const PAGE = new URL("./?embed", (document.currentScript as HTMLScriptElement).src);

class CuldesacView extends HTMLElement {
  async #address(): Promise<string> {
    const address = new URL(PAGE);
    const said = (name: string): string | null => this.getAttribute(name);
    const link = said("link");
    if (link !== null) address.hash = link.replace(/^[^#]*#/, "");
    else {
      const settings = Object.fromEntries(["tab", "function", "ints"].flatMap((name) => (said(name) === null ? [] : [[name, said(name)]])));
      address.hash = `v1.${await packed({ source: `${this.textContent.replace(/^\s*\n/, "").trimEnd()}\n`, ...settings })}`;
    }
    return address.href;
  }

  connectedCallback(): void {
    if (this.shadowRoot) return;
    const frame = document.createElement("iframe");
    frame.title = this.getAttribute("title") ?? "culdesac: a program and its report";
    frame.setAttribute("style", "border: 1px solid #8592a3; border-radius: 8px; width: 100%; height: 100%; box-sizing: border-box");
    frame.allow = "clipboard-write";
    const root = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = ":host { display: block; height: 480px }";
    root.append(style, frame);
    void this.#address().then((address) => (frame.src = address));
  }
}

if (!customElements.get("culdesac-view")) customElements.define("culdesac-view", CuldesacView);
