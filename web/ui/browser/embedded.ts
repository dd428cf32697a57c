/** Whether the page stands in a frame of another one: it then has no bar, and keeps nothing on this device. */
export const embedded = typeof location !== "undefined" && new URLSearchParams(location.search).has("embed");
