// Tours that are played: those of the page, which are files beside it (web/tours), and a teacher's, from a file or a link. A step is a
// program, a tab, what is set and what is looked at; each has a link.

import { batch, signal } from "@preact/signals";
import { load } from "../browser/storage";
import { examples } from "../editor/examples";
import { notice, program, programShown, settings, sourceOf, text } from "../state/state";
import { fromBase64Url, packed, through } from "../text/packing";
import { allSettings, setAll, usual } from "./all-settings";
import { linkOpened, setAddress, stepOpened } from "./history";
import { isEdited, isExample, setOwn, setProgram, textOf } from "./program";
import { lookFrom, lookOf } from "./session-store";
import { BYTES_MAX, linkToStep, TOURS, type Tour, tourOf } from "./tour-file";

declare const BUILD: string;

interface Touring {
  tour: Tour;
  /** What its links begin with. */
  link: string;
  /** The number of the step, from 0 on. */
  at: number;
}
export const touring = signal<Touring | null>(null);

/** The tour that a link names or holds; or why there is none. */
async function tourFrom(link: string): Promise<Tour | string> {
  if (link.startsWith("tour1.")) {
    try {
      const bytes = await through(fromBase64Url(link.slice("tour1.".length)), new DecompressionStream("deflate-raw"), BYTES_MAX);
      return tourOf(JSON.stringify(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))));
    } catch {
      return "Its link is damaged: part of it is missing or was changed on the way.";
    }
  }
  const name = link.slice("tour.".length);
  if (!TOURS.includes(name)) return `There is no tour of the name ${name}: there are ${TOURS.join(", ")}.`;
  try {
    const response = await fetch(`./tours/${name}.json?${BUILD}`);
    return response.ok ? tourOf(await response.text()) : `Its file is not there (${response.status}).`;
  } catch {
    return "Its file could not be loaded: is there a network?";
  }
}

/** A person's own program, for the way back. */
let left: (() => void) | null = null;

function leave(): void {
  const kept = isEdited() ? null : load("source");
  const mine = isEdited() ? text.value : kept === null ? null : textOf(kept);
  const before = { name: isEdited() ? program.value : (load("name") ?? "program"), settings: allSettings() };
  left =
    mine === null || isExample(mine) || mine.toString().trim() === ""
      ? null
      : () => {
          setOwn(true);
          setAll(before.settings);
          setProgram(before.name, mine);
        };
}

/** Shows a step: its program, its tab, what is set and what is looked at. */
function show({ tour, link, at }: Touring): void {
  const step = tour.steps[at]!;
  const to = textOf(step.source);
  batch(() => {
    touring.value = { tour, link, at };
    programShown.value = false;
    setAll(step.settings);
    setOwn(false);
    if (text.peek().eq(to)) program.value = step.program;
    else setProgram(step.program, to);
    lookFrom(step.settings.tab, step.show, true);
  });
}

/** How a step comes to be shown: by a link in the address, by going on, or by the browser's Back and Forward. */
type By = "link" | "step" | "history";

/** Opens a tour at a step; whether there is such a tour. */
export async function openTour(link: string, at: number, by: By, given: Tour | null = null): Promise<boolean> {
  const now = touring.peek();
  const tour = given ?? (now?.link === link ? now.tour : await tourFrom(link));
  if (typeof tour === "string") {
    notice.value = { tone: "error", text: `This tour cannot be played. ${tour}` };
    return false;
  }
  if (!now) leave();
  notice.value = null;
  const step = Math.min(at, tour.steps.length - 1);
  if (by === "link") linkOpened();
  show({ tour, link, at: step });
  if (by === "step") stepOpened(linkToStep(link, step));
  return true;
}

/** Goes on (1) or back (-1) in the tour; whether one is played. */
export function stepTour(by: 1 | -1): boolean {
  const now = touring.peek();
  if (!now) return false;
  const at = now.at + by;
  if (at >= 0 && at < now.tour.steps.length) void openTour(now.link, at, "step");
  return true;
}

/** Leaves the tour; what it showed stays. */
export function endTour(): void {
  if (!touring.peek()) return;
  touring.value = null;
  setAddress("");
  if (left) notice.value = { tone: "info", text: "The tour is left.", action: { label: "Back to my own program", run: left } };
  left = null;
}

/** A teacher's tour from a file. */
export async function openTourFile(file: File): Promise<void> {
  const tour = file.size > BYTES_MAX ? `It has more than ${BYTES_MAX.toLocaleString("en")} bytes.` : tourOf(await file.text());
  if (typeof tour === "string") notice.value = { tone: "error", text: `${file.name} cannot be played as a tour. ${tour}` };
  else await openTour(`tour1.${await packed(JSON.parse(await file.text()))}`, 0, "step", tour);
}

/** What differs from the usual, key by key. */
function changed(all: Record<string, unknown>, from: Record<string, unknown>): Record<string, unknown> {
  const isPart = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => {
      const usually = from[key];
      if (JSON.stringify(value) === JSON.stringify(usually)) return [];
      return [[key, isPart(value) && isPart(usually) ? changed(value, usually) : value]];
    }),
  );
}

/** What is shown as a step of a tour, for its title and text to be written. */
export async function copyStep(): Promise<void> {
  const { program: _, tab, ...all } = allSettings();
  const source = sourceOf(text.peek());
  const example = examples.find((one) => one.name === program.peek() && one.source === source);
  const set = changed(all, usual());
  const look = lookOf(settings.peek().tab);
  const step = {
    title: "…",
    text: "…",
    ...(example ? { example: example.name } : { source }),
    tab,
    ...(Object.keys(set).length > 0 && { settings: set }),
    ...(look && { show: look }),
  };
  try {
    await navigator.clipboard.writeText(`${JSON.stringify(step, null, 2)}\n`);
    notice.value = { tone: "info", text: "Copied: what is shown, as a step of a tour." };
  } catch {
    notice.value = { tone: "error", text: "Copying was not allowed." };
  }
}
