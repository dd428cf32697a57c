// The graph as a table: for graphs too large to draw, and for reading.

import { useSignal } from "@preact/signals";
import { selected as chosen, known } from "../../state/state";
import { plural } from "../../text/numbers";

const selected = chosen.in("graph");

const FIRST = 500;

export function EdgeList() {
  const shown = useSignal(FIRST);
  const cfg = known.value?.cfg;
  if (!cfg) return null;
  const now = selected.value;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Edges of the graph">
      <table class="edges">
        <thead>
          <tr>
            <th scope="col" class="number">
              Edge
            </th>
            <th scope="col" class="number">
              From
            </th>
            <th scope="col" class="number">
              To
            </th>
            <th scope="col">Operation</th>
            <th scope="col">Side</th>
            <th scope="col" class="number">
              Line
            </th>
          </tr>
        </thead>
        <tbody>
          {cfg.edges.slice(0, shown.value).map((e) => {
            const chosen = now?.kind === "edge" && now.id === e.id;
            return (
              <tr key={e.id} class={chosen ? "chosen" : undefined}>
                <td class="number">
                  <button
                    type="button"
                    class="link"
                    aria-pressed={chosen}
                    aria-label={`Edge ${e.id}: show its line`}
                    onClick={() => (selected.value = chosen ? null : { kind: "edge", id: e.id })}
                  >
                    {e.id}
                  </button>
                </td>
                <td class="number">
                  {e.from}
                  {e.from === cfg.entry ? " entry" : ""}
                </td>
                <td class="number">
                  {e.to}
                  {e.to === cfg.exit ? " exit" : e.to === cfg.error ? " error" : ""}
                </td>
                <td>
                  <code>{e.label}</code>
                </td>
                <td>{e.holds === null ? "" : e.holds ? "true" : "false"}</td>
                <td class="number">{e.line}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {cfg.edges.length > shown.value && (
        <p>
          <button type="button" onClick={() => (shown.value += FIRST)}>
            Show more
          </button>{" "}
          {plural(cfg.edges.length - shown.value, "edge")} not shown
        </p>
      )}
    </div>
  );
}
