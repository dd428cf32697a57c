// The service worker: it keeps all files of one version of the page, so that a reload needs no network and versions never mix. The next version
// waits until a person asks for it (session/versions.ts).

import { cleanupOutdatedCaches, precacheAndRoute } from "workbox-precaching";

/** All files of this version, from scripts/offline.mjs. */
declare const PRECACHE: { url: string; revision: string | null }[];

cleanupOutdatedCaches();
// The page names its build behind the engine's addresses: here all files are of one build.
precacheAndRoute(PRECACHE, { ignoreURLParametersMatching: [/./] });
addEventListener("message", ({ data }) => {
  if (data?.type === "SKIP_WAITING") void (self as unknown as { skipWaiting(): Promise<void> }).skipWaiting();
});
