// All that is set, of the program and of each analysis: what links hold and what is kept over a reload.

import { batch } from "@preact/signals";
import { analyses, choices } from "../analyses/registry";
import { type AllSettings, DEFAULTS, readSettings, says, type Wrong } from "../state/settings";
import { settings } from "../state/state";

export const allSettings = (): AllSettings => ({
  ...settings.value,
  ...Object.fromEntries(choices.map((choice) => [choice.key, choice.value])),
});

/** From untrusted data; `beside` are keys of it that are no settings. With `told` it notes there what it does not take. */
export function readAll(data: unknown, told: Wrong[] | null = null, beside: readonly string[] = []): AllSettings {
  const all = readSettings(data, choices, told, beside);
  const tabs = analyses.map(({ id }) => id);
  if (tabs.includes(all.tab)) return all;
  told?.push({ key: "tab", says: says(all.tab), allowed: tabs.join(", ") });
  return { ...all, tab: DEFAULTS.tab };
}

export function setAll({ program, tab, function: name, ints, inlineDepth, assume, target, ...rest }: AllSettings): void {
  batch(() => {
    settings.value = { program, tab, function: name, ints, inlineDepth, assume, target };
    for (const choice of choices) choice.value = rest[choice.key] ?? choice.defaults;
  });
}

/** All as it is usual. */
export const usual = (): AllSettings => ({ ...DEFAULTS, ...Object.fromEntries(choices.map(({ key, defaults }) => [key, defaults])) });
