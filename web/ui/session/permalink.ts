// Links that hold the program, the settings and what is looked at, never results: `#v1.` and the base64url of deflated JSON, or the name of
// an example, as `#merge` or `#merge.graph`. Nothing leaves the browser: what follows the # is not sent to any server.

import { choices } from "../analyses/registry";
import { examples } from "../editor/examples";
import { type AllSettings, DEFAULTS, shortened, type Wrong } from "../state/settings";
import { fromBase64Url, packed, through } from "../text/packing";
import { readAll, usual } from "./all-settings";
import { type Look, readLook } from "./session-store";

const VERSION = 1;
/** A link that would unpack to more than this is refused. */
const MAX_BYTES = 8 << 20;

export interface Linked {
  source: string;
  settings: AllSettings;
  /** What is looked at in the tab of the settings, as the session store has it. */
  look?: Look | null;
  /** What is shown beside. */
  beside?: Linked | null;
}

/** As a link holds it, without the source if that is the one given. */
const plain = ({ source, settings, look = null }: Linked, without: string | null): Record<string, unknown> => ({
  ...(source !== without && { source }),
  ...shortened(settings, choices),
  ...(look && { look }),
});

/** From what a link holds. */
function read(data: object, source: string, wrong: Wrong[]): Linked {
  const settings = readAll(data, wrong, ["source", "look", "beside"]);
  const look = "look" in data ? readLook(settings.tab, data.look, wrong, "look") : null;
  return { source, settings, ...(look && { look }) };
}

/** What is beside, from untrusted data. */
export function readBeside(data: unknown, around: string, wrong: Wrong[]): Linked | null {
  if (typeof data !== "object" || data === null) return null;
  const own: Wrong[] = [];
  const beside = read(data, "source" in data && typeof data.source === "string" ? data.source : around, own);
  for (const { key, ...rest } of own) wrong.push({ key: `beside.${key}`, ...rest });
  return beside;
}

/** What is beside, as it is kept with what is around it. */
export const besideAsKept = (beside: Linked, around: string): Record<string, unknown> => plain(beside, around);

/** With what was not taken of a link, if anything. */
export type Opened = { kind: "none" } | { kind: "linked"; linked: Linked; wrong?: Wrong[] } | { kind: "refused"; message: string };

const linkedWith = (linked: Linked, wrong: Wrong[]): Opened => ({ kind: "linked", linked, ...(wrong.length > 0 && { wrong }) });

/** The part of the address from `#` on. */
export async function toHash(linked: Linked): Promise<string> {
  const { source, settings, look = null, beside = null } = linked;
  const example = examples.find((one) => one.name === settings.program && one.source === source);
  const isUsual = JSON.stringify({ ...settings, tab: null }) === JSON.stringify({ ...usual(), program: settings.program, tab: null });
  if (example && isUsual && !look && !beside) return exampleHash(example.name, settings.tab);
  return `#v${VERSION}.${await packed({ ...plain(linked, null), ...(beside && { beside: plain(beside, source) }) })}`;
}

/** The short link to an example. */
export const exampleHash = (name: string, tab = DEFAULTS.tab): string => `#${name}${tab === DEFAULTS.tab ? "" : `.${tab}`}`;

/** The example that a short link names. */
function exampleOf(hash: string): Opened | null {
  const [, name, tab] = /^#(\w+)(?:\.(\w+))?$/.exec(hash) ?? [];
  const example = examples.find((one) => one.name === name);
  if (!example) return null;
  const wrong: Wrong[] = [];
  return linkedWith({ source: example.source, settings: readAll({ program: example.name, ...(tab && { tab }) }, wrong) }, wrong);
}

/** Opens a link; a hash of another kind is none. */
export async function fromHash(hash: string): Promise<Opened> {
  const short = exampleOf(hash);
  if (short) return short;
  const match = /^#v(\d+)\.(.*)$/.exec(hash);
  if (!match) return { kind: "none" };
  if (Number(match[1]) > VERSION) {
    return {
      kind: "refused",
      message: "This link was made by a newer version of this page. Reload the page, or ask for a link from the same version.",
    };
  }
  const damaged = "This link is damaged: part of it is missing or was changed on the way. Your program was left as it was.";
  if (Number(match[1]) !== VERSION) return { kind: "refused", message: damaged };
  try {
    const bytes = await through(fromBase64Url(match[2] ?? ""), new DecompressionStream("deflate-raw"), MAX_BYTES);
    const data: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof data !== "object" || data === null || !("source" in data) || typeof data.source !== "string") {
      return { kind: "refused", message: damaged };
    }
    const wrong: Wrong[] = [];
    const linked = read(data, data.source, wrong);
    const beside = "beside" in data ? readBeside(data.beside, data.source, wrong) : null;
    return linkedWith({ ...linked, ...(beside && { beside }) }, wrong);
  } catch {
    return { kind: "refused", message: damaged };
  }
}
