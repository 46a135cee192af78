import { createServer, type Server } from "node:net";
import { afterEach } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import type { BrokerClientOptions } from "#lib/net/brokers/broker-client.ts";
import { createKafkaClient } from "#lib/net/brokers/kafka-client.ts";
import type { KafkaLogin } from "#lib/net/brokers/log-in-to-kafka.ts";
import { serveKafka } from "./test-kafka.ts";
import { listen } from "./test-servers.ts";

/** What tests of a file closed after each of them. */
export const closing: (() => unknown)[] = [];

/** Called once in a file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
}

/** A cluster with one broker, which names itself. */
export async function startKafka(
  server: Server = createServer(),
  { host = "127.0.0.1", event = "connection" } = {},
) {
  const kafka = serveKafka(server, event);
  const { port, ...listening } = await listen(server, host);
  closing.push(() => listening[Symbol.asyncDispose]());
  kafka.places = [{ host, port }];
  return { kafka, port, url: `kafka://${host}:${port}` };
}

type Sending = {
  readonly topic?: string;
  readonly key?: string;
  readonly value?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly login?: KafkaLogin | null;
};

/** A client that may call these networks of this machine. */
export function clientWith(allow: string, more: Partial<BrokerClientOptions> = {}) {
  const parsed = parseCidrList(allow);
  if (!parsed.ok) throw new Error(parsed.message);
  const client = createKafkaClient({ allow: parsed.cidrs, ...more });
  closing.push(() => client.close());
  const send = (
    url: string,
    { topic = "orders", key = "cust_1", value = "{}", login = null, ...given }: Sending = {},
  ) =>
    client.publish(
      {
        ...{ topic, key, headers: [["webhook-id", "evt_1"]], timestampMs: 1_700_000_000_000 },
        value: Buffer.from(value),
      },
      { url, login, loginKey: login === null ? "" : "1.1" },
      { timeoutMs: 60_000, signal: never, ...given },
    );
  return { client, send };
}
const never = new AbortController().signal;
