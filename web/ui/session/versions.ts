// Versions of the page: the service worker keeps the files of one, and a newer one comes when a person asks for it.

import { Workbox } from "workbox-window";
import { whenIdle } from "../browser/idle";
import { notice } from "../state/state";

/** On the machine of a developer each build would wait behind the one before: there only with this word in the address. */
const ON_REQUEST = "offline";

const isLocal = (): boolean => ["localhost", "127.0.0.1"].includes(location.hostname);

/** Registers the service worker once the browser has nothing else to do, and tells when another version is there. */
export function followVersions(): void {
  if (!("serviceWorker" in navigator) || (isLocal() && !new URLSearchParams(location.search).has(ON_REQUEST))) return;
  const workbox = new Workbox("./sw.js");
  workbox.addEventListener("waiting", () => {
    notice.value = {
      tone: "info",
      text: "A new version of this page is there. Your program is kept.",
      action: {
        label: "Load it",
        run: () => {
          workbox.addEventListener("controlling", () => location.reload());
          workbox.messageSkipWaiting();
        },
      },
    };
  });
  whenIdle(() => void workbox.register().catch(() => {}), 5_000);
}
