// What the page remembers on this device: the program, so that nothing typed is lost, and how the page looks. Storage
// may be full, forbidden or absent; the page then works without it and says so once.

const PREFIX = "culdesac.";

export function load(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Whether it was kept. */
export function save(key: string, value: string): boolean {
  try {
    localStorage.setItem(PREFIX + key, value);
    return true;
  } catch {
    return false;
  }
}
