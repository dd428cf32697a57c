// All that is set, of the program and of each analysis: what links hold and what is kept over a reload.

import { batch } from "@preact/signals";
import { choices } from "../analyses/registry";
import { type AllSettings, DEFAULTS, readSettings } from "../state/settings";
import { settings } from "../state/state";

export const allSettings = (): AllSettings => ({
  ...settings.value,
  ...Object.fromEntries(choices.map((choice) => [choice.key, choice.value])),
});

/** From untrusted data. */
export const readAll = (data: unknown): AllSettings => readSettings(data, choices);

export function setAll({ program, tab, function: name, ints, inlineDepth, assume, target, ...rest }: AllSettings): void {
  batch(() => {
    settings.value = { program, tab, function: name, ints, inlineDepth, assume, target };
    for (const choice of choices) choice.value = rest[choice.key] ?? choice.defaults;
  });
}

/** All as it is usual. */
export const usual = (): AllSettings => ({ ...DEFAULTS, ...Object.fromEntries(choices.map(({ key, defaults }) => [key, defaults])) });
