import type { IncomingMessage } from "node:http";
import { Signal } from "#lib/signals.ts";
import type { Caught } from "./catch-result.ts";

export type CaughtReport = {
  readonly request: IncomingMessage;
  readonly caught: Caught;
  readonly status: number;
  /** The time until the delivery was stored or rejected. */
  readonly storedMs: number;
  /** The time until the response, which may wait for the reply of an action. */
  readonly durationMs: number;
};

/** A request to the catch endpoint has its response. */
export const requestCaught = new Signal<CaughtReport>("request.caught");
