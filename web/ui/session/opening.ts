// What the page opens with: a link, the program that the browser keeps, or an example; and the link that brings all of it back.

import type { Dropped } from "../browser/dropped";
import { isBeside } from "../browser/embedded";
import { load } from "../browser/storage";
import { examples } from "../editor/examples";
import { coverage } from "../state/coverage";
import { type Wrong, wrongText } from "../state/settings";
import { change, notice, program, programShown, settings, sourceOf, text } from "../state/state";
import { allSettings, readAll, setAll, usual } from "./all-settings";
import { besideAgain, shownBeside, shownNow } from "./beside";
import { entry, linkOpened, setAddress } from "./history";
import { fromHash, readBeside, toHash } from "./permalink";
import { isEdited, isExample, leave, onFiles, restoreCoverage, setOwn, setProgram, textOf } from "./program";
import { lookFrom, returnTo, sessionBefore } from "./session-store";
import { isTourFile, tourIn } from "./tour-file";
import { openTour, openTourFile } from "./tours";

/** The example that the page begins with: it needs no paper, and a part of it never runs. */
const FIRST = "leap_year";

/** Some programs cut links that are longer than this. */
const LONG_LINK = 8000;

/** So many mistakes of a link are told. */
const WRONG_MAX = 3;

/** What was not taken of a link, in a sentence. */
function notTaken(wrong: readonly Wrong[]): string {
  if (wrong.length === 0) return "";
  const more = wrong.length > WRONG_MAX ? `; and ${wrong.length - WRONG_MAX} more` : "";
  return ` As usual is what it says wrongly: ${wrong.slice(0, WRONG_MAX).map(wrongText).join("; ")}${more}.`;
}

export async function openLink(): Promise<boolean> {
  const tour = tourIn(location.hash);
  if (tour) return openTour(tour.link, tour.at, "link");
  const opened = await fromHash(location.hash);
  if (opened.kind === "none") return false;
  if (opened.kind === "refused") {
    notice.value = { tone: "error", text: opened.message };
    return false;
  }
  const { linked, wrong = [] } = opened;
  const kept = isEdited() ? null : load("source");
  const before = {
    name: program.value,
    text: isEdited() ? text.value : kept !== null ? textOf(kept) : null,
    settings: allSettings(),
    coverage: coverage.peek(),
  };
  linkOpened();
  setAll(linked.settings);
  setOwn(false);
  leave();
  programShown.value = true;
  const to = textOf(linked.source);
  const asExample = linked.source === examples.find((e) => e.name === linked.settings.program)?.source;
  setProgram(asExample ? linked.settings.program : "program", to);
  if (linked.look) lookFrom(linked.settings.tab, linked.look);
  besideAgain(linked.beside);
  const mine = before.text !== null && !before.text.eq(to) && !isExample(before.text) ? before.text : null;
  const back = (): void => {
    setOwn(true);
    setAll(before.settings);
    if (mine) setProgram(before.name, mine);
    coverage.value = before.coverage;
  };
  if (mine || wrong.length > 0)
    notice.value = {
      tone: wrong.length > 0 ? "error" : "info",
      text: `Opened from a link.${notTaken(wrong)}`,
      ...(mine && { action: { label: "Back to my own program", run: back } }),
    };
  return true;
}

/** The browser's Back and Forward lead to a step of a tour; whether they do. */
export function returnToStep(): boolean {
  const tour = tourIn(location.hash);
  if (tour) void openTour(tour.link, tour.at, "history");
  return tour !== null;
}

/** The link to what is shown: the part from `#` on. */
const hashNow = (): Promise<string> => toHash({ ...shownNow(), beside: shownBeside() });

/** What a frame shows, in a tab of its own. */
export async function openWhole(): Promise<void> {
  open(new URL(`./${await hashNow()}`, location.href.replace(/[?#].*$/, "")), "_blank", "noopener");
}

/** The lines for a page that shows this program in a frame. */
export async function copyEmbedding(): Promise<void> {
  const script = new URL("./embed.js", location.href.replace(/[?#].*$/, ""));
  const lines = `<script src="${script}" defer></script>\n<culdesac-view link="${await hashNow()}"></culdesac-view>\n`;
  try {
    await navigator.clipboard.writeText(lines);
    notice.value = { tone: "info", text: "Copied: two lines of HTML that show this program in a page of yours." };
  } catch {
    notice.value = { tone: "error", text: "Copying was not allowed." };
  }
}

/** Files that are dropped or chosen: a tour, or C files and the coverage of tests. */
export async function openFiles(files: readonly File[], dropped: Partial<Dropped> = {}): Promise<void> {
  for (const file of dropped.inFolder ? [] : files) if (await isTourFile(file)) return openTourFile(file);
  await onFiles(files, dropped);
}

export async function copyLink(): Promise<void> {
  const hash = await hashNow();
  setAddress(hash);
  const { href } = location;
  const long = href.length > LONG_LINK ? ` It has ${href.length.toLocaleString("en")} characters; some programs cut links that long.` : "";
  try {
    await navigator.clipboard.writeText(href);
    notice.value = {
      tone: "info",
      text: `Link copied: it holds the program, the settings and what is looked at${coverage.peek().length > 0 ? ", not the coverage" : ""}.${long}`,
    };
  } catch {
    notice.value = { tone: "info", text: `The link is now in the address bar; copying was not allowed.${long}` };
  }
}

/** The program and the settings with which the page starts; after a reload the tab that was shown. */
export async function openFirst(): Promise<void> {
  const kept = load("source");
  const first = examples.find((e) => e.name === FIRST) ?? examples[0];
  let isNew = false;
  if (!(await openLink())) {
    if (kept !== null && kept.trim() !== "") setProgram(load("name") ?? "program", textOf(kept));
    else {
      setProgram(first?.name ?? "program", textOf(first?.source ?? "int main() {\n  return 0;\n}\n"));
      // Where there is room for one thing, the answer is what the page is for.
      isNew = true;
    }
    setAll(usual());
  }
  restoreCoverage();
  const before = sessionBefore();
  if (before) setAll(readAll(before.settings));
  if (before?.beside) besideAgain(readBeside(before.beside, sourceOf(text.value), []));
  const here = entry();
  if (here) change({ tab: here.tab });
  returnTo(settings.value.tab);
  if (before || here) programShown.value = here?.program ?? before?.program ?? true;
  else if (isNew || isBeside) programShown.value = false;
}
