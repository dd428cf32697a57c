/** Where browsers do not tell when they are idle. */
const A_WHILE = 200;

/** Runs a task of low priority, once the browser has nothing else to do; after `timeout` milliseconds, if given, in any case. */
export function whenIdle(run: () => void, timeout?: number): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, timeout === undefined ? {} : { timeout });
  else setTimeout(run, A_WHILE);
}
