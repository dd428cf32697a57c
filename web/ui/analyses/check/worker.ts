// The Check tab's question in the worker. The page gives the file unread, as a Blob.

import type { AtWorker } from "../../engine/at-worker";
import { SHOWN_CLAIMS, shownFile } from "../../engine/evidence";

export const check: AtWorker<"check"> = {
  results: (event) => event.kind === "checked" && event.rejected !== null,
  most: SHOWN_CLAIMS,
  thinned: ["checked"],
  read: async ({ evidence }) => {
    try {
      return { evidence: JSON.parse(await (evidence as Blob).text()), unreadable: null };
    } catch (error) {
      return { evidence: null, unreadable: error instanceof Error ? error.message : String(error) };
    }
  },
  also: (document, { evidence }) => {
    // How many were rejected stands in the kinds; a file of nothing but wrong claims must not flood the page.
    document.rejected.splice(SHOWN_CLAIMS);
    return shownFile(evidence as Record<string, unknown>, document.rejected);
  },
};
