// Tours as files: a JSON object with a title and steps, which web/docs/tours.md describes. What is wrong is told with the step, the key and
// what it could be.

import { Text } from "@codemirror/state";
import { examples } from "../editor/examples";
import { type AllSettings, says, Untrusted, type Wrong, wrongText } from "../state/settings";
import { deadLinks } from "../text/marked";
import { PAPERS } from "../text/papers";
import { readAll } from "./all-settings";
import { type Look, readLook } from "./session-store";

/** What a file says of itself. */
export const FORMAT = "culdesac tour 1";
export const STEPS_MAX = 40;
const TITLE_MAX = 100;
const TEXT_MAX = 2_000;
const SOURCE_MAX = 100_000;
/** Larger files are no tours. */
export const BYTES_MAX = 1 << 20;

export interface Question {
  text: string;
  /** To choose from; without any the answer is only shown. */
  choices: readonly string[];
  /** The number of the right choice, from 0 on. */
  right: number;
  answer: string;
}

export interface TourStep {
  title: string;
  text: string;
  /** The name of an example, or `program`. */
  program: string;
  source: string;
  /** All that is set, with the tab. */
  settings: AllSettings;
  /** What is looked at in the tab. */
  show: Look;
  question: Question | null;
}

export interface Tour {
  title: string;
  steps: readonly TourStep[];
}

const isProse = (text: string, most: number): boolean => text.trim() !== "" && text.length <= most;

/** A text in Markdown's plain part. */
function prose(from: Untrusted, key: string, most = TEXT_MAX): string {
  const text = from.text(key, null, (text) => isProse(text, most), `a text of at most ${most} characters`);
  if (text === null) {
    if (from.raw(key) === undefined || from.raw(key) === null) from.wrong(key, `a text of at most ${most} characters`);
    return "";
  }
  for (const link of deadLinks(text))
    from.told?.push({
      key: from.under + key,
      says: `with a link to ${says(link)}`,
      allowed: "links to https://… or to a page of the docs such as prune.md",
    });
  return text;
}

function readQuestion(step: Untrusted): Question | null {
  if (step.raw("question") === undefined) return null;
  const from = step.part("question");
  const given = from.raw("choices");
  const isList =
    Array.isArray(given) &&
    given.length >= 2 &&
    given.length <= 6 &&
    given.every((one) => typeof one === "string" && isProse(one, TITLE_MAX));
  if (given !== undefined && !isList) from.wrong("choices", `a list of 2 to 6 texts of at most ${TITLE_MAX} characters`);
  const choices = isList ? (given as string[]) : [];
  const right = from.whole("right", 1, Math.max(1, choices.length), null);
  if (choices.length > 0 && right === null && from.raw("right") === undefined)
    from.wrong("right", `the number of the right choice, from 1 to ${choices.length}`);
  return { text: prose(from, "text"), choices, right: (right ?? 1) - 1, answer: prose(from, "answer") };
}

/** The program of a step: named, given, or that of the step before. */
function readProgram(from: Untrusted, before: Pick<TourStep, "program" | "source"> | null): Pick<TourStep, "program" | "source"> {
  const name = from.among(
    "example",
    examples.map(({ name }) => name),
    null,
  );
  const source = from.text("source", null, (text) => isProse(text, SOURCE_MAX), `a program of at most ${SOURCE_MAX} characters`);
  if (name !== null && source !== null) from.wrong("source", "no program beside an example: one of the two");
  const example = examples.find((one) => one.name === name);
  if (example) return { program: example.name, source: example.source };
  if (source !== null) return { program: "program", source };
  if (before) return before;
  if (from.raw("example") === undefined && from.raw("source") === undefined)
    from.wrong("example", `in the first step the name of one (${examples.map(({ name }) => name).join(", ")}), unless there is a source`);
  return { program: "program", source: "" };
}

function readStep(data: unknown, number: number, before: TourStep | null, told: Wrong[]): TourStep {
  const under = `step ${number}: `;
  if (typeof data !== "object" || data === null || Array.isArray(data))
    told.push({ key: under.slice(0, -2), says: says(data), allowed: "an object" });
  const from = new Untrusted(data, told, under);
  const { program, source } = readProgram(from, before);
  const title = prose(from, "title", TITLE_MAX);
  const text = prose(from, "text");
  const tab = from.text("tab", null);
  if (tab === null && from.raw("tab") === undefined) from.wrong("tab", "the name of a tab");
  const given = from.raw("settings");
  const wrong: Wrong[] = [];
  if (given !== undefined) {
    const part = from.part("settings");
    for (const key of ["tab", "program"]) if (part.raw(key) !== undefined) part.wrong(key, "nothing, as the step says it");
  }
  // The tab and the program have keys of their own.
  const settings = readAll({ ...new Untrusted(given).all(), tab: tab ?? undefined }, wrong);
  for (const { key, ...rest } of wrong) told.push({ key: `${under}${key === "tab" ? "" : "settings."}${key}`, ...rest });
  const look: Wrong[] = [];
  const show = readLook(settings.tab, from.raw("show") ?? null, look, "show") ?? {};
  for (const { key, ...rest } of look) told.push({ key: under + key, ...rest });
  const { lines } = Text.of(source.split(/\r\n?|\n/));
  if (typeof show.line === "number" && show.line > lines)
    told.push({ key: `${under}show.line`, says: String(show.line), allowed: `a line of the program, from 1 to ${lines}` });
  const question = readQuestion(from);
  for (const key of Object.keys(new Untrusted(data).all()))
    if (!STEP_KEYS.includes(key)) from.wrong(key, `nothing, as a step has no such key. There are ${STEP_KEYS.join(", ")}`);
  return { title, text, program, source, settings: { ...settings, program }, show, question };
}

/** What a step can say. */
export const STEP_KEYS: readonly string[] = ["title", "text", "example", "source", "tab", "settings", "show", "question"];
const TOUR_KEYS: readonly string[] = ["format", "title", "steps"];

/** A tour from untrusted data; or what is wrong with it. */
export function readTour(data: unknown): Tour | readonly Wrong[] {
  const wrong: Wrong[] = [];
  const from = new Untrusted(data, wrong);
  if (from.raw("format") !== FORMAT) from.wrong("format", `"${FORMAT}"`);
  const title = prose(from, "title", TITLE_MAX);
  const list = from.raw("steps");
  for (const key of Object.keys(from.all()))
    if (!TOUR_KEYS.includes(key)) from.wrong(key, `nothing, as a tour has no such key. There are ${TOUR_KEYS.join(", ")}`);
  if (!Array.isArray(list) || list.length < 1 || list.length > STEPS_MAX) {
    from.wrong("steps", `a list of 1 to ${STEPS_MAX} steps`);
    return wrong;
  }
  const steps: TourStep[] = [];
  for (const [at, step] of list.entries()) steps.push(readStep(step, at + 1, steps.at(-1) ?? null, wrong));
  return wrong.length > 0 ? wrong : { title, steps };
}

/** A tour from the text of a file; or a sentence on what is wrong. */
export function tourOf(text: string): Tour | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : ""}`;
  }
  const tour = readTour(data);
  return "steps" in tour ? tour : wrongOf(tour);
}

/** Whether a file means to be a tour: coverage in JSON has the lists of its compiler, evidence has claims, justifications have programs. */
export async function isTourFile(file: File): Promise<boolean> {
  if (!file.name.endsWith(".json")) return false;
  if (file.size > BYTES_MAX) return /tour/i.test(file.name);
  try {
    const data: unknown = JSON.parse(await file.text());
    return typeof data !== "object" || data === null || !["files", "data", "claims", "programs"].some((key) => key in data);
  } catch {
    return !/cov/i.test(file.name);
  }
}

/** So many mistakes are told at once. */
const TOLD_MAX = 4;

export const wrongOf = (wrong: readonly Wrong[]): string =>
  `${wrong.slice(0, TOLD_MAX).map(wrongText).join(".\n")}.${wrong.length > TOLD_MAX ? `\nAnd ${wrong.length - TOLD_MAX} more.` : ""}`;

/** The tours of the page: one of each method. */
export const TOURS: readonly string[] = PAPERS.map(({ method }) => method.toLowerCase());

/** The link to a step, by its number from 0 on. */
export const linkToStep = (link: string, at: number): string => `#${link}${at === 0 ? "" : `.${at + 1}`}`;

/** A link to a tour: what it begins with, and the number of the step. */
export function tourIn(hash: string): { link: string; at: number } | null {
  const [, link, step] = /^#(tour\.[\w-]+|tour1\.[\w-]+)(?:\.(\d{1,3}))?$/.exec(hash) ?? [];
  return link === undefined ? null : { link, at: Math.max(0, Number(step ?? 1) - 1) };
}
