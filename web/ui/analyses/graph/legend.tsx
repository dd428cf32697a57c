// What the graph's shapes mean; drawn with the graph's own functions so that they cannot differ.

import { boxOutline, letter, outline } from "../../graph/draw";
import type { Shape } from "../../graph/model";
import { known } from "../../state/state";

/** An irreducible graph has single vertices, any other boxes. */
function Sample({ shape, boxes, entry = false }: { shape: Shape; boxes: boolean; entry?: boolean }) {
  const head = entry ? '<path class="start" d="M-31 0H-20"/><path class="head start-head" d="M-17 0l-9 -4.5v9z"/>' : "";
  const drawn = boxes
    ? boxOutline({ shape, width: shape === "loop" ? 40 : 34, height: 24 })
    : outline({ shape, width: shape === "loop" ? 40 : 34, height: 34 });
  const markup = `<g class="node ${shape}${boxes ? " box" : ""}${entry ? " entry" : ""}">${head}${drawn}</g>`;
  return (
    <svg
      class="graph sample"
      viewBox={entry ? "-32 -19 52 38" : "-21 -19 42 38"}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  );
}

function Side({ holds }: { holds: boolean }) {
  const markup = `<g class="edge assume ${holds ? "yes" : "no"}"><path class="line" d="M-30 0H-8"/><g class="tag" transform="translate(4 0)"><circle r="7.5"/>${letter(holds)}</g></g>`;
  return <svg class="graph sample" viewBox="-31 -10 46 20" aria-hidden="true" dangerouslySetInnerHTML={{ __html: markup }} />;
}

export function Legend() {
  const cfg = known.value?.cfg;
  const boxes = cfg?.reducible ?? true;
  const decides = cfg?.edges.some((e) => e.holds !== null);
  const list = (
    <ul class="legend" aria-label="Legend">
      {cfg && (
        <li>
          <Sample shape="plain" boxes={boxes} entry />
          entry
        </li>
      )}
      {cfg && cfg.loop_headers.length > 0 && (
        <li>
          <Sample shape="loop" boxes={boxes} />
          loop header
        </li>
      )}
      {cfg && (
        <li>
          <Sample shape="exit" boxes={boxes} />
          exit
        </li>
      )}
      {cfg && cfg.error !== null && (
        <li>
          <Sample shape="error" boxes={boxes} />
          error
        </li>
      )}
      {decides && (
        <li>
          <Side holds />
          holds
        </li>
      )}
      {decides && (
        <li>
          <Side holds={false} />
          does not hold
        </li>
      )}
    </ul>
  );
  return (
    <details class="legend-fold">
      <summary>Legend</summary>
      {list}
    </details>
  );
}
