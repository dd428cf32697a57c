// Files for the person at the page.

import { strToU8, zipSync } from "fflate";

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The time of files in archives, always the same, so that the same files are the same archive. */
const WRITTEN = new Date(1980, 0, 1);

/** Several texts as one archive. */
export const archive = (files: readonly { name: string; text: string }[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])), { mtime: WRITTEN }));

/** Texts: one as it is, several as one archive; `name` has no ending, and one text has that of its own name. Gives the file's name. */
export function downloadAll(files: readonly { name: string; text: string }[], name: string): string {
  const [first, second] = files;
  const isOne = first !== undefined && second === undefined;
  const whole = name + (isOne ? first.name.slice(first.name.lastIndexOf(".")) : ".zip");
  download(isOne ? new Blob([first.text]) : new Blob([archive(files)], { type: "application/zip" }), whole);
  return whole;
}
