// The layout's thread: a picture in, its layout out. Ended by the page when the answer is no longer wanted.

import type { Room } from "./fold";
import { layOut } from "./layout";
import type { Picture } from "./model";

self.onmessage = (e: MessageEvent<{ picture: Picture; room: Room | null }>) => {
  self.postMessage(layOut(e.data.picture, e.data.room));
};
