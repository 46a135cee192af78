import {
  type ReadEvents,
  readPublishedBatch,
  readPublishedEvent,
} from "#lib/core/sending/read-published-event.ts";
import type { PublishTarget } from "./publish-target.ts";

type ReadInput = { readonly target: PublishTarget; readonly body: Uint8Array };

/** Runs in a thread if the body is large. */
export function readBody({ target, body }: ReadInput): ReadEvents {
  return target === "event" ? readPublishedEvent(body) : readPublishedBatch(body);
}

export type PublishTasks = { readonly readBody: typeof readBody };
