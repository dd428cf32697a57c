// The layout's thread: a picture in, its layout out. Ended by the page when the answer is no longer wanted.

import { layOut } from "./layout";
import type { Picture } from "./model";

self.onmessage = (e: MessageEvent<Picture>) => {
  self.postMessage(layOut(e.data));
};
