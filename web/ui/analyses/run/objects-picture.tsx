// The picture of the linked structures after a step of the run: variables on the left, nodes as boxes, pointers as arrows.

import { useRef } from "preact/hooks";
import type { Exported } from "../../graph/export";
import { readable } from "../../parts/flow-graph";
import { Popover } from "../../parts/popover";
import { SavePicture } from "../../parts/save-picture";
import type { RunDocument } from "../../protocol";
import { grouped, plural } from "../../text/numbers";
import { inWords, type ObjectNode, objectsAfter } from "./objects";
import { type Course, courseOf } from "./objects-course";
import { type Cell, cut, type Geometry, geometry, type VariableBox } from "./objects-geometry";
import { type ExecutedRun, stepShown } from "./state";

const courses = new WeakMap<RunDocument, Course>();

/** Whether the run has linked structures to be drawn. */
export const hasObjects = (run: ExecutedRun | null): boolean => (run?.document?.structures?.length ?? 0) > 0;

function Mark({ held, x, y, size }: { held: Cell["member"]["held"]; x: number; y: number; size: number }) {
  if (held.kind === "node") return <circle class={held.dangling ? "dot dangling" : "dot"} cx={x} cy={y} r={size * 0.25} />;
  if (held.kind === "null") {
    const half = size * 0.5;
    return (
      <path class="null" d={`M${x - half} ${y + half}L${x + half} ${y - half}`}>
        <title>NULL</title>
      </path>
    );
  }
  return (
    <text class={held.kind} x={x} y={y + size * 0.35} text-anchor="middle">
      {cut(held.text)}
      {held.kind === "unset" && <title>never set</title>}
    </text>
  );
}

function Variable({ box, size }: { box: VariableBox; size: number }) {
  const { variable, x, y, width, height, at } = box;
  return (
    <g class={variable.changed ? "variable changed" : "variable"} data-name={variable.name} data-kind={variable.held.kind}>
      <rect x={x} y={y} width={width} height={height} rx={4} />
      <path class="rule" d={`M${x + width - 2 * size} ${y}v${height}`} />
      <text x={x + size * 0.5} y={y + height / 2 + size * 0.35}>
        {cut(variable.name)}
        <title>{variable.name}</title>
      </text>
      <Mark held={variable.held} x={at.x} y={at.y} size={size} />
    </g>
  );
}

const state = ({ freed, lost, changed }: ObjectNode): string => `node${freed ? " freed" : lost ? " lost" : ""}${changed ? " changed" : ""}`;

function Node({ box, size }: { box: Geometry["nodes"][number]; size: number }) {
  const { node, x, y, width, height, cells } = box;
  const line = Math.round(size * 1.75);
  const middle = size * 0.35;
  return (
    <g class={state(node)} data-name={node.title}>
      <rect class="box" x={x} y={y} width={width} height={height} rx={4} />
      <path class="title" d={`M${x} ${y + line}v${4 - line}q0 -4 4 -4h${width - 8}q4 0 4 4v${line - 4}z`} />
      <text class="title" x={x + size * 0.5} y={y + line / 2 + middle}>
        {cut(node.title)}
        {node.lost && <title>No variable leads to it.</title>}
      </text>
      {node.freed && (
        <text class="word" x={x + width - size * 0.5} y={y + line / 2 + middle} text-anchor="end">
          freed
        </text>
      )}
      {cells.map(({ member, x: left, y: top, width: wide, height: tall, at, below }) => (
        <g key={member.name} class={member.changed ? "member changed" : "member"} data-name={member.name} data-kind={member.held.kind}>
          <rect class="cell" x={left} y={top} width={wide} height={tall} />
          <text
            class="name"
            x={below ? at.x : left + size * 0.5}
            y={below ? top + size * 1.15 : top + tall / 2 + middle}
            text-anchor={below ? "middle" : "start"}
          >
            {cut(member.name)}
          </text>
          <Mark held={member.held} x={at.x} y={at.y} size={size} />
        </g>
      ))}
      {node.freed && <path class="cross" d={`M${x} ${y + line}L${x + width} ${y + height}M${x + width} ${y + line}L${x} ${y + height}`} />}
    </g>
  );
}

function Picture({ drawn, label, svg }: { drawn: Geometry; label: string; svg: { current: SVGSVGElement | null } }) {
  const { width, height, size, nodes, variables, arrows } = drawn;
  const kind = (arrow: Geometry["arrows"][number]): string =>
    `arrow${arrow.variable ? " of-variable" : ""}${arrow.dangling ? " dangling" : ""}${arrow.changed ? " changed" : ""}${arrow.freed ? " of-freed" : ""}`;
  return (
    <svg
      ref={svg}
      class="objects"
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      font-size={size}
    >
      {nodes.map((box) => (
        <Node key={box.id} box={box} size={size} />
      ))}
      {variables.map((box) => (
        <Variable key={box.variable.name} box={box} size={size} />
      ))}
      {arrows.map((arrow) => (
        <g key={arrow.from} class={kind(arrow)} data-from={arrow.from} data-to={arrow.to}>
          <path class="line" d={arrow.d} />
          <path class="head" d={arrow.head} />
          <title>{`${arrow.from} → ${arrow.to}`}</title>
        </g>
      ))}
    </svg>
  );
}

export function ObjectsPicture({ run, name }: { run: ExecutedRun; name: string }) {
  const svg = useRef<SVGSVGElement>(null);
  const { document, cfg } = run;
  const step = stepShown.value;
  if (!document || step === null) return null;
  const course = courses.get(document) ?? courseOf(document, cfg);
  courses.set(document, course);
  const objects = objectsAfter(document, cfg, step);
  const drawn = geometry(objects, course, step, Math.round(13 * readable()));
  const when = step === 0 ? "at the start" : `after step ${grouped(step)}`;
  const label = `Objects ${when}: ${plural(objects.pointers.length, "pointer")}, ${plural(objects.nodes.length, "node")}`;
  const picture = (): Exported | null =>
    svg.current && {
      svg: svg.current,
      markup: svg.current.innerHTML,
      box: { x: 0, y: 0, width: drawn.width, height: drawn.height },
      rules: "objects",
    };
  return (
    <section class="objects-part" aria-label="Objects">
      <div class="objects-bar">
        <b>Objects</b> <span class="muted">{when}</span>
        {objects.left > 0 && <span class="muted">{`${plural(objects.left, "node")} ${objects.left === 1 ? "is" : "are"} left out.`}</span>}
        <Popover className="save-picture" label="Save" title="Save the objects">
          {(close) => <SavePicture picture={picture} name={`${name}-objects-${step}`} title="the objects" done={close} />}
        </Popover>
      </div>
      <div class="objects-scroll scroll" tabIndex={0} role="region" aria-label="Picture of the objects">
        <Picture drawn={drawn} label={label} svg={svg} />
        <details>
          <summary>In words</summary>
          <ul class="objects-words">
            {inWords(objects).map((words) => (
              <li key={words}>
                <code>{words}</code>
              </li>
            ))}
          </ul>
        </details>
      </div>
    </section>
  );
}
