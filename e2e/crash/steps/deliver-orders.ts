import { setTimeout as delay } from "node:timers/promises";
import { fetchUntilAvailable } from "#e2e/harness/fetch-until-available.ts";
import { makeStripeBody, signStripe } from "#e2e/harness/stripe-delivery.ts";

export type Orders = {
  readonly acknowledged: readonly string[];
  stop(): Promise<void>;
};

export type OrdersOptions = {
  readonly catchUrl: URL;
  readonly tag: string;
  /** Runs that have started their last step. */
  readonly countEnded: () => number;
  /** Whether a failed delivery is sent again, as providers do. Omitted: it is an error. */
  readonly isRepeated?: boolean;
};

/** The number of runs kept open, so that a kill always comes in the middle of some. */
const openRuns = 12;

export function deliverOrders({
  catchUrl,
  tag,
  countEnded,
  isRepeated = false,
}: OrdersOptions): Orders {
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  const delivering = (async () => {
    while (!stopping.signal.aborted) {
      if (acknowledged.length - countEnded() >= openRuns) await delay(10);
      else {
        const eventId = `evt_${tag}_${acknowledged.length + 1}`;
        const isDone = await deliverOrder(catchUrl, eventId).catch((error: unknown) => {
          if (!isRepeated) throw error;
        });
        if (isDone === undefined) await delay(20);
        else acknowledged.push(eventId);
      }
    }
  })();
  // `stop` throws this error.
  delivering.catch(() => {});
  return {
    acknowledged,
    stop: async () => {
      stopping.abort();
      await delivering;
    },
  };
}

/** Returns the id of the event once it is acknowledged. A busy machine is asked again, as providers do. */
export async function deliverOrder(catchUrl: URL, eventId: string): Promise<string> {
  const body = makeStripeBody(eventId);
  const response = await fetchUntilAvailable(catchUrl.href, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "stripe-signature": signStripe(body, Date.now()),
    },
    body: new Uint8Array(body),
  });
  if (!response.ok) throw new Error(`${eventId}: ${response.status} ${await response.text()}`);
  return eventId;
}
