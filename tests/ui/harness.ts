// An engine's worker that answers when told to.

import type { Chore, FromWorker, ToWorker } from "../../web/ui/engine/messages";

export class FakeWorker {
  static made: FakeWorker[] = [];
  sent: Extract<ToWorker, { id: number }>[] = [];
  chores: Chore["chore"][] = [];
  ended = false;
  onmessage: ((e: MessageEvent<FromWorker>) => void) | null = null;
  onerror: ((e: ErrorEvent) => void) | null = null;
  constructor() {
    FakeWorker.made.push(this);
  }
  postMessage(message: ToWorker): void {
    if ("chore" in message) this.chores.push(message.chore);
    else if ("id" in message) this.sent.push(message);
  }
  addEventListener(): void {}
  terminate(): void {
    this.ended = true;
  }
  say(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
  }
}
