// A table as a file.

import { download } from "../browser/download";
import { csvText, markdownText, type Table } from "../text/tables";

interface Props {
  /** What is in the table. */
  title: string;
  /** The file's name without its ending. */
  file: string;
  table: () => Table;
}

export const SaveTable = ({ title, file, table }: Props) => (
  <span class="group save-table" role="group" aria-label={`Save ${title}`}>
    <button
      type="button"
      class="small"
      title={`Save ${title} as CSV`}
      onClick={() => download(new Blob([csvText(table())], { type: "text/csv" }), `${file}.csv`)}
    >
      CSV
    </button>
    <button
      type="button"
      class="small"
      title={`Save ${title} as Markdown`}
      onClick={() => download(new Blob([markdownText(table())], { type: "text/markdown" }), `${file}.md`)}
    >
      Markdown
    </button>
  </span>
);
