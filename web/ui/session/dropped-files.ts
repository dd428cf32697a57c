// What a person's files are: programs and headers, coverage of tests, and files that the page leaves out, each with the reason.

import { type Dropped, pathOf } from "../browser/dropped";
import type { NamedText } from "../editor/files";
import { grouped, plural } from "../text/numbers";
import { isCoverageName } from "./coverage";

/** Larger files are no programs that a person reads in an editor. */
const PROGRAM_MOST = 4 << 20;
/** So many files that were left out are named. */
const NAMED_MOST = 4;

export interface Sorted {
  programs: NamedText[];
  coverage: File[];
  /** Names of files with the reason why each was left out. */
  leftOut: { name: string; why: string }[];
}

const isProgram = ({ name }: File): boolean => /\.[ch]$/.test(name);

/** The text of a program, or why the file is none. */
async function read(file: File): Promise<{ text: string } | { why: string }> {
  if (file.size > PROGRAM_MOST) return { why: `more than ${PROGRAM_MOST >> 20} MB` };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return bytes.includes(0) ? { why: "binary" } : { text: new TextDecoder().decode(bytes) };
  } catch {
    return { why: "cannot be read" };
  }
}

/** Sorts files. Without a program among them each file is taken for coverage, which says of each other file what it lacks; in a folder,
 * and beside programs, only files with a name of coverage are. */
export async function sorted({ files, inFolder }: Pick<Dropped, "files" | "inFolder">): Promise<Sorted> {
  const found: Sorted = { programs: [], coverage: [], leftOut: [] };
  const named = inFolder || files.some(isProgram);
  for (const file of files) {
    const name = pathOf(file);
    if (isProgram(file)) {
      const program = await read(file);
      if ("text" in program) found.programs.push({ name, text: program.text });
      else found.leftOut.push({ name, why: program.why });
    } else if (!named || isCoverageName(file.name)) found.coverage.push(file);
    else found.leftOut.push({ name, why: "neither C nor coverage" });
  }
  return found;
}

/** A sentence on the files that were left out, and on those that a large folder has beyond the first; empty without any. */
export function leftOutSentence(leftOut: Sorted["leftOut"], read: number | null): string {
  const names = leftOut.slice(0, NAMED_MOST).map(({ name, why }) => `${name} (${why})`);
  const others = leftOut.length > NAMED_MOST ? ` and ${plural(leftOut.length - NAMED_MOST, "other file")}` : "";
  const left = leftOut.length === 0 ? "" : ` Left out: ${names.join(", ")}${others}.`;
  return read === null ? left : `${left} The folder has more than the ${grouped(read)} files that were read.`;
}
