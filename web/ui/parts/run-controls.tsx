// What stands in the frame's bar for a tab: its settings as a popover, and Analyse, in the Run tab Run, or Cancel.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { stop, type Task } from "../state/run";
import { narrow, settings } from "../state/state";
import { Icon } from "./icons";
import { Popover } from "./popover";
import { AssumptionChoices, ProgramChoices, TargetChoices } from "./program-settings";

export interface Word {
  text: string;
  /** Whether it is not the default. */
  changed: boolean;
}

/** All of them in one line. */
export const inLine = (words: readonly Word[]): string => words.map(({ text }) => text).join(" · ");

interface Props {
  /** The docs page on this tab, if there is one. */
  page?: string;
  /** What the popover holds: Settings, or the input of a run. */
  label?: string;
  busy: boolean;
  /** What Cancel stops. */
  tasks: readonly Task[];
  /** Whether the settings are in order. */
  ready: boolean;
  /** The settings in a few words each. */
  words: readonly Word[];
  /** Puts the defaults back. */
  reset: () => void;
  start: () => void;
  /** Their Enter key runs, too. */
  fields: (go: () => void) => ComponentChildren;
}

export function RunControls({ page, label = "Settings", busy, tasks, ready, words, reset, start, fields }: Props) {
  const changed = words.filter((word) => word.changed);
  const button = narrow.value ? (
    <>
      <Icon name="settings" />
      <span class="sr-only">{label}</span>
    </>
  ) : (
    label
  );
  return (
    <>
      <Popover
        className="settings"
        title={label}
        hint={inLine(words)}
        wrong={!ready}
        label={
          <>
            {button}
            {changed.length > 0 && (
              <span class="changed-count" aria-label={`, ${changed.length} changed`}>
                {changed.length}
              </span>
            )}{" "}
            {!narrow.value && <span aria-hidden="true">▾</span>}
          </>
        }
      >
        {(close) => {
          const go = (): void => {
            if (!ready) return;
            close();
            start();
          };
          return (
            <>
              <p class="changed">
                {changed.length === 0 ? (
                  <span class="muted">The defaults: {inLine(words)}</span>
                ) : (
                  <>
                    <b>Changed:</b> {inLine(changed)}{" "}
                    <button type="button" class="link" onClick={reset}>
                      Back to the defaults
                    </button>
                  </>
                )}
              </p>
              <ProgramChoices />
              <div class="form">{fields(go)}</div>
              <TargetChoices />
              <AssumptionChoices />
              <PageLink page={page} />
            </>
          );
        }}
      </Popover>
      <RunButton busy={busy} tasks={tasks} ready={ready} start={start} />
    </>
  );
}

function PageLink({ page }: { page: string | undefined }) {
  return (
    page && (
      <p class="popover-foot">
        <a href={`docs/${page}`}>How it works</a>
      </p>
    )
  );
}

/** Of a tab that has no settings of its own. */
export function PlainControls({ page, busy, tasks, start }: Pick<Props, "page" | "busy" | "tasks" | "start">) {
  return (
    <>
      <Popover
        className="settings"
        title="Settings"
        label={
          narrow.value ? (
            <>
              <Icon name="settings" />
              <span class="sr-only">Settings</span>
            </>
          ) : (
            <>
              Settings <span aria-hidden="true">▾</span>
            </>
          )
        }
      >
        {() => (
          <>
            <ProgramChoices />
            <TargetChoices />
            <AssumptionChoices />
            <PageLink page={page} />
          </>
        )}
      </Popover>
      <RunButton busy={busy} tasks={tasks} ready start={start} />
    </>
  );
}

function RunButton({ busy, tasks, ready, start }: Pick<Props, "busy" | "tasks" | "ready" | "start">) {
  const word = settings.value.tab === "run" ? "Run" : "Analyse";
  const mac = /Mac|iP(hone|ad)/.test(navigator.platform);
  const button = useRef<HTMLButtonElement>(null);
  const focused = button.current !== null && document.activeElement === button.current;
  useLayoutEffect(() => {
    if (focused) button.current?.focus();
  }, [busy]);
  // Two buttons, not one with two meanings: a press that began on Cancel must not start what has just ended. The focus goes along.
  if (busy)
    return (
      <button key="cancel" ref={button} type="button" class="run busy" onClick={() => tasks.forEach(stop)}>
        Cancel
      </button>
    );
  return (
    <button
      key="run"
      ref={button}
      type="button"
      class="run primary"
      disabled={!ready}
      title={`Now (${mac ? "⌘" : "Ctrl"}+Enter)`}
      onClick={start}
    >
      {narrow.value ? (
        <>
          <Icon name="play" />
          <span class="sr-only">{word}</span>
        </>
      ) : (
        word
      )}
    </button>
  );
}
