import { checkReceiverUrl, readKafkaReceiver } from "#lib/core/sending/address/broker-receiver.ts";
import { isKafkaPort } from "#lib/core/sending/address/ports.ts";
import type { KafkaRecord } from "#lib/core/sending/kafka/record-batch.ts";
import type { BrokerPlace } from "#lib/schema/act/broker-origin.ts";
import { CallFailure } from "../call-failure.ts";
import type { CallResult } from "../call-result.ts";
import { callBroker, type PublishOptions, toResponse } from "./broker-call.ts";
import { type BrokerClientOptions, toSocketOptions } from "./broker-client.ts";
import { KafkaLink } from "./kafka-link.ts";
import { KafkaTopic, type Produced } from "./kafka-topic.ts";
import { type KafkaLogin, logIn } from "./log-in-to-kafka.ts";
import { openSocket } from "./open-socket.ts";

type KafkaMessage = KafkaRecord & { readonly topic: string };

type KafkaTarget = {
  /** `kafkas://one.example.com,two.example.com`. */
  readonly url: string;
  /** Null: the brokers take messages from everyone. */
  readonly login: KafkaLogin | null;
  /** The id and version of the credential. Others have connections of their own. */
  readonly loginKey: string;
};

export type KafkaClient = {
  /** Publishes one message. Never rejects. A reply of Kafka is the response: its error code, and what it means. */
  publish(message: KafkaMessage, target: KafkaTarget, options: PublishOptions): Promise<CallResult>;
  /** The number of connections, including idle ones. */
  openConnections(): number;
  close(): void;
};

/** Publishes to clusters of users. Connections are kept for a while. */
export function createKafkaClient(options: BrokerClientOptions): KafkaClient {
  const { maxConnections = 200, connectMs = 10_000, idleMs = 60_000, maxChannels = 64 } = options;
  const addresses = toSocketOptions(options);
  const topics = new Map<string, KafkaTopic>();
  const links = new Set<KafkaLink>();

  function open({ url, login, loginKey }: KafkaTarget, topic: string): KafkaTopic {
    const checked = checkReceiverUrl(url, options.allow);
    if (!checked.ok && checked.code === "blocked") throw new CallFailure("blocked");
    const cluster = readKafkaReceiver(url);
    if (!cluster.ok) throw new CallFailure("invalid_request", cluster.message);
    const { origin, isTls, places } = cluster;
    const key = JSON.stringify([loginKey, login?.mechanism, origin, topic]);
    const found = topics.get(key);
    if (found !== undefined) return found;
    const made = new KafkaTopic({
      ...{ topic, places, connectMs, maxMessages: maxChannels },
      openLink: (place, onRetired) => openLink({ ...place, isTls }, login, onRetired),
      onEmpty: () => {
        if (topics.get(key) === made) topics.delete(key);
      },
    });
    topics.set(key, made);
    return made;
  }

  function openLink(
    place: BrokerPlace & { readonly isTls: boolean },
    login: KafkaLogin | null,
    onRetired: () => void,
  ): KafkaLink {
    if (links.size >= maxConnections) makeRoom();
    const made: KafkaLink = new KafkaLink({
      ...{ connectMs, idleMs, onRetired },
      closedSays: login === null ? `${closed} It may need a login, or TLS.` : closed,
      open: (signal) => openSocket({ ...place, isOrdinary: isKafkaPort }, addresses, signal),
      logIn: async (ask) => (login === null ? 0 : await logIn(ask, login)),
      onClosed: () => links.delete(made),
    });
    links.add(made);
    return made;
  }

  function makeRoom(): void {
    const idle = links.values().find(({ isIdle }) => isIdle);
    if (idle === undefined)
      throw new CallFailure(
        "connect",
        `This server has ${maxConnections} connections to brokers of Kafka, which is the limit.`,
      );
    idle.retire();
  }

  return {
    publish: ({ topic, ...record }, target, given) => {
      const endsAt = performance.now() + given.timeoutMs;
      return callBroker(given, async (passed) =>
        confirm(await open(target, topic).produce(record, { passed, endsAt })),
      );
    },
    openConnections: () => links.size,
    close() {
      for (const link of links) link.close();
    },
  };
}

/** Kafka confirms with the error code 0 and the place of the message. */
function confirm({ partition, offset }: Produced) {
  return toResponse(200, `The message is in partition ${partition} at offset ${offset}.`);
}

const closed = "The broker closed the connection before it confirmed the message.";
