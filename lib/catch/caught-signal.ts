import type { IncomingMessage } from "node:http";
import { Signal } from "#lib/base/signals.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { Caught } from "./catch-result.ts";

type CaughtReport = {
  readonly request: IncomingMessage;
  readonly caught: Caught;
  readonly status: number;
  /** The time until the delivery was stored or rejected. */
  readonly storedMs: number;
  /** The time until the response, which may wait for the reply of an action. */
  readonly durationMs: number;
};

/** Deliveries were stored, all by one statement. */
export const deliveriesStored = new Signal<{ deliveries: readonly NewDelivery[] }>(
  "deliveries.stored",
);

/** A request to the catch endpoint has its response. */
export const requestCaught = new Signal<CaughtReport>("request.caught");
