// The path that is looked at, below every tab: walk along it while the graph and the program show where it stands.

import { useEffect } from "preact/hooks";
import type { Analysis } from "../analyses/analysis";
import { analyses } from "../analyses/registry";
import { runThis } from "../analyses/run/session";
import { executed } from "../analyses/run/state";
import { Icon } from "../parts/icons";
import { Popover } from "../parts/popover";
import { playing, replay } from "../state/playback";
import { change, current, narrow, pathInView, selected, settings, shownPath, stepBy } from "../state/state";
import { stepping } from "../state/stepping";

export function PathBar() {
  const shown = pathInView.value;
  const isShown = shown !== null;
  useEffect(() => (isShown ? stepping(stepBy) : undefined), [isShown]);
  if (!shown) return null;
  const { title, path, run, step, ends } = shown;
  const last = path.edges.length - 1;
  const edge = run.cfg.edges[path.edges[step] ?? -1];
  const go = (to: number): void => {
    const { value } = shownPath;
    if (value) shownPath.value = { ...value, step: to };
  };
  /** On request it is looked at in another tab, too, and is from then on that tab's own. */
  const takeTo = ({ id, takesPath }: Analysis): void => {
    shownPath.in(id).value = shownPath.value;
    selected.in(id).value = null;
    takesPath?.show?.();
    change({ tab: id });
  };
  const takers = analyses.filter(({ id, takesPath }) => id !== settings.value.tab && takesPath?.now());
  const { input } = path;
  const ways = [
    ...(shownPath.value?.of !== executed && input
      ? [
          <button key="run" type="button" onClick={() => runThis(input)}>
            Run this input
          </button>,
        ]
      : []),
    ...takers.map((taker) => (
      <button key={taker.id} type="button" onClick={() => takeTo(taker)}>
        {taker.takesPath?.title}
      </button>
    )),
  ];
  const dies = path.dies_at === step;
  const onKey = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement) return;
    if ((e.key === "ArrowLeft" || e.key === "ArrowRight") && stepBy(e.key === "ArrowRight" ? 1 : -1)) e.preventDefault();
    if (e.key === "Escape") shownPath.value = null;
  };
  return (
    <div class="strip path-bar" role="region" aria-label={title} onKeyDown={onKey}>
      <span class="steps">
        <button type="button" aria-label="First step" disabled={step === 0} onClick={() => go(0)}>
          <Icon name="first" />
        </button>
        <button type="button" aria-label="Step back" disabled={step === 0} onClick={() => stepBy(-1)}>
          <Icon name="back" />
        </button>
        <button type="button" aria-label="Step on" disabled={step >= last} onClick={() => stepBy(1)}>
          <Icon name="on" />
        </button>
        <button
          type="button"
          class="play"
          aria-label={playing.value ? "Pause" : "Play"}
          title={playing.value ? "Pause" : "Play"}
          disabled={last < 1}
          onClick={() => {
            if (!playing.value && step >= last) replay();
            else playing.value = !playing.value;
          }}
        >
          <Icon name={playing.value ? "pause" : "play"} />
        </button>
        <button type="button" aria-label="Last step" disabled={step >= last} onClick={() => go(last)}>
          <Icon name="last" />
        </button>
      </span>
      <input
        type="range"
        min={0}
        max={Math.max(0, last)}
        value={step}
        aria-label="Step of the path"
        aria-valuetext={`step ${step + 1} of ${last + 1}`}
        onInput={(e) => go(Number(e.currentTarget.value))}
      />
      <p class="where" role="status">
        <b>{title}</b>, step {step + 1} of {last + 1}
        {edge && (
          <>
            {" · line "}
            {path.lines[step]} <code>{edge.label}</code>
          </>
        )}
        {dies && <b class="dies"> ✕ {ends ?? "here no input is left"}</b>}
        {path.dies_at !== null && step > path.dies_at && <span class="dies"> ✕ never reached</span>}
        {!current(run) && <span class="stale-mark"> · of an earlier text</span>}
      </p>
      <span class="steps">
        {narrow.value && ways.length > 1 ? (
          <Popover className="ways" label="Show…" title={`Show ${title.charAt(0).toLowerCase()}${title.slice(1)}`}>
            {() => ways}
          </Popover>
        ) : (
          ways
        )}
        <button type="button" aria-label="Leave the path" title="Leave the path (Escape)" onClick={() => (shownPath.value = null)}>
          <Icon name="close" />
        </button>
      </span>
    </div>
  );
}
