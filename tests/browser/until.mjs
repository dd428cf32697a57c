// The one clock of the page's tests: it asks again and again whether something holds. What the page itself can tell is waited for in it.

const EVERY = 50;
const AT_MOST = 60_000;

/** Waits until something holds that only the test can tell; fails after a minute. */
export async function until(holds, what = String(holds)) {
  for (let waited = 0; waited < AT_MOST; waited += EVERY) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  throw new Error(`never: ${what}`);
}
