// A picture as a file.

import { download } from "../browser/download";
import { type Exported, savePng, saveSvg } from "../graph/export";
import { notice } from "../state/state";

export interface SavedPicture {
  picture: () => Exported | null;
  /** The file's name without its ending. */
  name: string;
  /** What is saved, in words. */
  title: string;
}

const tooLarge = (): void => void (notice.value = { tone: "error", text: "The picture is too large for a PNG here; SVG has no limit." });

/** Buttons for each format that the picture has. */
export function SavePicture({ picture, name, title, done = () => {} }: SavedPicture & { done?: () => void }) {
  const dot = picture()?.dot;
  const save = (how: (picture: Exported) => void): void => {
    const now = picture();
    if (now) how(now);
    done();
  };
  return (
    <span class="group">
      <button type="button" title={`Save ${title} as SVG`} onClick={() => save((now) => saveSvg(now, name))}>
        SVG
      </button>
      <button type="button" title={`Save ${title} as PNG`} onClick={() => save((now) => void savePng(now, name).catch(tooLarge))}>
        PNG
      </button>
      {dot && (
        <button
          type="button"
          title={`Save ${title} for Graphviz`}
          onClick={() => save(() => download(new Blob([dot(name)], { type: "text/vnd.graphviz" }), `${name}.dot`))}
        >
          DOT
        </button>
      )}
    </span>
  );
}
