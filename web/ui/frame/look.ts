// How the page looks: theme, size of type, one pane at a time or two. Kept on this device.

import { effect, signal } from "@preact/signals";
import { embedded, isBeside } from "../browser/embedded";
import { load, save } from "../browser/storage";
import { narrow, projector, type Theme, theme } from "../state/state";
import { restoreSplit } from "./splitter";

/** The look: on the root element, before anything is drawn, and kept. */
export function followLook(): void {
  theme.value = (["light", "dark"].find((t) => t === load("theme")) ?? "auto") as Theme;
  projector.value = load("projector") === "on";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const systemIsDark = signal(dark.matches);
  dark.addEventListener("change", () => (systemIsDark.value = dark.matches));
  effect(() => {
    document.documentElement.dataset.theme = theme.value !== "auto" ? theme.value : systemIsDark.value ? "dark" : "light";
    save("theme", theme.value);
  });
  effect(() => {
    document.documentElement.classList.toggle("projector", projector.value);
    document.documentElement.classList.toggle("embed", embedded);
    document.documentElement.classList.toggle("framed", isBeside);
    save("projector", projector.value ? "on" : "off");
    restoreSplit();
  });
  const query = matchMedia("(max-width: 700px)");
  narrow.value = query.matches;
  query.addEventListener("change", () => (narrow.value = query.matches));
}
