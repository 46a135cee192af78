import { createHash } from "node:crypto";
import type { ChannelModel, ConfirmChannel, Message } from "amqplib";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { BrokerUrl } from "#lib/core/env/broker-url.ts";
import { BrokerError } from "./broker-error.ts";
import type { Left } from "./spool.ts";

/** The id of the spool. It is the same in every process with this queue. */
export function toSpoolId({ hosts, vhost, queue }: BrokerUrl): string {
  const text = JSON.stringify([
    hosts.map(({ host, port }) => `${host}:${port}`).sort(),
    vhost,
    queue,
  ]);
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20, 32)].join("-");
}

/** Where deliveries wait that can't be stored for good. */
export function nameSetAside(queue: string): string {
  return `${queue}.set-aside`;
}

/**
 * The arguments of the queue. On disk at a majority of its nodes before it confirms, one consumer at
 * a time, and full instead of dropping the oldest. A delivery limit would drop a message that was
 * read again too often, and without the argument RabbitMQ 4 has one of 20.
 */
function listArguments(maxBytes: number): Readonly<Record<string, string | number | boolean>> {
  return {
    ...setAsideArguments,
    "x-single-active-consumer": true,
    "x-overflow": "reject-publish",
    "x-max-length-bytes": maxBytes,
  };
}

const setAsideArguments = { "x-queue-type": "quorum", "x-delivery-limit": 1_000_000_000 };

export type QueueCounts = {
  /** Messages that no consumer has. */
  readonly ready: number;
  readonly consumers: number;
  readonly setAside: number;
};

/**
 * Messages that processes before this one have left. RabbitMQ counts nothing, too, in a queue that has no leader, is
 * recovering, or doesn't respond within 250 ms (`rabbit_quorum_queue:stat`). And another process may have
 * messages that aren't counted.
 */
export function findLeft({ ready, consumers }: QueueCounts): Left {
  return ready > 0 || consumers > 0 ? "something" : "unknown";
}

/** Makes the queues if they aren't there. Rejects with BROKER_SETUP if they are others. */
export async function declareQueues(
  connection: ChannelModel,
  { queue }: Pick<BrokerUrl, "queue">,
  maxBytes: number,
): Promise<QueueCounts> {
  // The server closes the channel if it rejects one.
  const channel = await connection.createChannel();
  channel.on("error", () => {});
  const declare = async (name: string, wanted: object) => {
    try {
      return await channel.assertQueue(name, { durable: true, arguments: wanted });
    } catch (error) {
      if (codeOf(error) !== 406) throw error;
      throw new BrokerError(
        "BROKER_SETUP",
        `The queue ${name} is there with other arguments than ${JSON.stringify(wanted)}: delete it once ` +
          "it is empty, or name another one with ?queue=. CATCHMENT_SPOOL_MAX_BYTES is one of them",
        { cause: error },
      );
    }
  };
  const main = await declare(queue, listArguments(maxBytes));
  const aside = await declare(nameSetAside(queue), setAsideArguments);
  await channel.close();
  const { messageCount: ready, consumerCount: consumers } = main;
  return { ready, consumers, setAside: aside.messageCount };
}

/**
 * Puts a message into the queue of what is set aside. Settles once it is durable there, and rejects if
 * it isn't within `confirmMs`.
 */
export async function publishAside(
  publishing: ConfirmChannel,
  message: { readonly queue: string; readonly content: Buffer; readonly messageId: string },
  confirmMs: number,
): Promise<void> {
  const { content, messageId } = message;
  const queue = nameSetAside(message.queue);
  const { promise: confirmed, resolve, reject } = Promise.withResolvers<void>();
  // Someone may have deleted the queue. RabbitMQ then returns the message, and confirms it.
  const onReturn = ({ fields }: Message) => {
    if (fields.routingKey === queue)
      reject(new BrokerError("BROKER_NO_QUEUE", `The broker has no queue ${queue}`));
  };
  publishing.on("return", onReturn);
  try {
    const options = { persistent: true, mandatory: true, messageId };
    publishing.publish("", queue, content, options, (error: unknown) =>
      error === null ? resolve() : reject(error),
    );
    await withTimeLimit(confirmed, confirmMs, () => {
      throw new BrokerError("BROKER_TIMEOUT", "The broker didn't confirm in time");
    });
  } finally {
    publishing.off("return", onReturn);
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
