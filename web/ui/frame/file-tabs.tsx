// The files of a program as tabs above the editor: each leads to where its file begins, and the tab of the cursor's file is the current one.

import { computed } from "@preact/signals";
import { type FilePlace, filesOf } from "../editor/files";
import { cursorLine, text, typing } from "../state/state";

let last: readonly FilePlace[] = [];
/** Looked for in a pause of the keys: no key waits for a search through the text. */
const files = computed(() => {
  if (!typing.value) last = filesOf(text.value);
  return last;
});

export function FileTabs({ goTo }: { goTo: (at: number, y: "start") => void }) {
  const all = files.value;
  if (all.length < 2) return null;
  const line = cursorLine.value ?? 1;
  // A header stands within the file that includes it, and ends where nothing says.
  const current = all.findLastIndex((file) => file.line <= line && (!file.isHeader || file.line === line));
  return (
    <nav class="file-tabs" aria-label="Files">
      {all.map((file, at) => (
        <button
          key={at}
          type="button"
          class={file.isHeader ? "header" : undefined}
          aria-current={at === Math.max(0, current)}
          title={file.isHeader ? `${file.name}, in place of its first #include` : file.name}
          onClick={() => goTo(file.start, "start")}
        >
          {file.name}
        </button>
      ))}
    </nav>
  );
}
