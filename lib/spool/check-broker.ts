import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { type BrokerHost, type BrokerUrl, nameHost } from "#lib/core/env/broker-url.ts";
import { type BrokerError, toBrokerError } from "./broker-error.ts";
import { connectTo } from "./broker-link.ts";
import { declareQueues, type QueueCounts } from "./broker-queues.ts";

export type BrokerCheck =
  | { readonly ok: true; readonly counts: QueueCounts }
  /** The last host's error. */
  | { readonly ok: false; readonly error: BrokerError };

const hostMs = 5_000;

/** Asks the hosts of a broker until one has the queues as they have to be. Makes them if there are none. */
export async function checkBroker(broker: BrokerUrl, maxBytes: number): Promise<BrokerCheck> {
  let last: BrokerCheck = { ok: false, error: toBrokerError("It has no hosts") };
  for (const host of broker.hosts) {
    last = await checkHost(broker, host, maxBytes);
    // The others would say the same.
    if (last.ok || last.error.code === "BROKER_SETUP") return last;
  }
  return last;
}

async function checkHost(
  broker: BrokerUrl,
  host: BrokerHost,
  maxBytes: number,
): Promise<BrokerCheck> {
  const ending = new AbortController();
  const ask = async (): Promise<BrokerCheck> => {
    const connection = await connectTo(broker, host, ending.signal);
    connection.on("error", () => {});
    const counts = await declareQueues(connection, broker, maxBytes);
    await connection.close();
    return { ok: true, counts };
  };
  try {
    return await withTimeLimit(ask(), hostMs, () => {
      throw new Error(`${nameHost(host)} doesn't answer`);
    });
  } catch (error) {
    return { ok: false, error: toBrokerError(error) };
  } finally {
    ending.abort();
  }
}
