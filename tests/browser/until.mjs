// The one clock of the page's tests: it asks again and again whether something holds. What the page itself can tell is waited for in it.

const EVERY = 50;
/** Milliseconds after which a wait is called endless: no test depends on how quick a machine is. */
export const PATIENCE = 300_000;
/** Within this a page tells what is on it, where a test has failed. */
export const SOON = 5_000;

/** Waits until something holds that only the test can tell; fails after minutes. */
export async function until(holds, what = String(holds)) {
  for (let waited = 0; waited < PATIENCE; waited += EVERY) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  throw new Error(`never: ${what}`);
}
