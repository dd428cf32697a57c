// What the page remembers on this device: the program, so that nothing typed is lost, and how the page looks; and as long as
// the browser's tab is open, where the page stands. Storage may be full, forbidden or absent; the page then works without it
// and says so once.

import { embedded } from "./embedded";

const PREFIX = "culdesac.";

/** `local` on this device, `session` as long as the browser's tab is open. */
type Where = "local" | "session";
const storage = (where: Where): Storage => (where === "local" ? localStorage : sessionStorage);

export function load(key: string, where: Where = "local"): string | null {
  if (embedded) return null;
  try {
    return storage(where).getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Whether it was kept. */
export function save(key: string, value: string, where: Where = "local"): boolean {
  if (embedded) return true;
  try {
    storage(where).setItem(PREFIX + key, value);
    return true;
  } catch {
    return false;
  }
}
