// What is shown beside: the page itself in a frame.

import { useRef } from "preact/hooks";
import { besideAddress, besideLoaded } from "../session/beside";

export function Beside() {
  const host = useRef<HTMLIFrameElement>(null);
  const address = besideAddress.value;
  if (address === null) return null;
  return (
    <iframe
      class="framed"
      title="Beside: another tab, of this program or another one"
      src={address}
      ref={host}
      onLoad={() => {
        // The page is there before its script has run.
        const { current } = host;
        if (!current) return;
        const ready = (): void => (current.contentWindow?.culdesac ? besideLoaded(current) : void requestAnimationFrame(ready));
        ready();
      }}
    />
  );
}
