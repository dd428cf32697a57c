const says = (name: string): boolean => typeof location !== "undefined" && new URLSearchParams(location.search).has(name);

/** Whether the page stands in a frame beside itself (session/beside.ts). */
export const isBeside = says("beside");
/** Whether the page stands in a frame: it keeps nothing on this device then, and in a page that is not its own it has no bar. */
export const embedded = says("embed") || isBeside;
