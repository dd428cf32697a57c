// What the engine's worker knows of an analysis: plain data, so that the worker's script holds nothing of the panes.

import type { Event } from "../protocol";
import type { Chore, DocumentOf, Name, SettingsOf } from "./messages";

export interface AtWorker<A extends Name = Name> {
  /** Which events are results: they pass to the page, each and in order, but no more than `most` of them. */
  results?: (event: Event) => boolean;
  most?: number;
  /** Events that say how far it is, besides `progress`: for people ten in a second are plenty. */
  thinned?: readonly Event["kind"][];
  /** Whether its claims are put together as an evidence file. */
  evidence?: boolean;
  /** A small query of its kind, made before the first of the user: browsers compile a function of the engine when it is first called. */
  warmUp?: { chore: Chore["chore"]; settings: SettingsOf<A> };
  /** Reads what the page gave unread, away from the page's own thread. */
  read?: (settings: SettingsOf<A>) => Promise<SettingsOf<A>>;
  /** What the page gets beside the document; it may shorten the document. */
  also?: (document: DocumentOf<A>, settings: SettingsOf<A>) => unknown;
}
