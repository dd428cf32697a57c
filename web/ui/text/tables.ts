// Tables as files: for spreadsheets and for documents.

export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** As RFC 4180 says; a spreadsheet would take a text that begins like a formula for one, so that begins with an apostrophe. */
export function csvText({ head, rows }: Table): string {
  const cell = (text: string): string => {
    const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** A table of GitHub's Markdown; code stands between backticks. */
export function markdownText({ head, rows }: Table): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |\n`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("");
}
