import { partitionOfKey } from "#lib/core/sending/kafka/partition-of-key.ts";
import { type KafkaRecord, toRecordBatch } from "#lib/core/sending/kafka/record-batch.ts";
import {
  metadataBody,
  produceBody,
  readMetadata,
  readProduced,
  type TopicMetadata,
} from "#lib/core/sending/kafka/requests.ts";
import { type BrokerPlace, readBrokerPlace } from "#lib/schema/act/broker-origin.ts";
import { CallFailure } from "../call-failure.ts";
import { BrokerFailure } from "./broker-failure.ts";
import { atAdvertised, failByCode, isStale, toKafkaFailure } from "./kafka-failure.ts";
import type { KafkaLink } from "./kafka-link.ts";

type TopicOptions = {
  readonly topic: string;
  /** The brokers that are asked for the others. */
  readonly places: readonly BrokerPlace[];
  /** Opens a connection. `onRetired` is called once it takes no more messages. Throws a `CallFailure`. */
  readonly openLink: (place: BrokerPlace, onRetired: () => void) => KafkaLink;
  /** Called when it has no connection, and no message is sent. */
  readonly onEmpty: () => void;
  /** The time for a connection, and then for the broker to say where the partitions are. */
  readonly connectMs: number;
  /** The maximum number of messages at a time. Further ones wait. */
  readonly maxMessages: number;
};

type Deadline = {
  /** Rejects when the message has waited long enough. */
  readonly passed: Promise<never>;
  /** The same time, by `performance.now()`. */
  readonly endsAt: number;
};

export type Produced = { readonly partition: number; readonly offset: bigint };

/** Partitions rarely move, and one that has moved says so. */
const keptMs = 5 * 60_000;

/**
 * One topic for one login. Its connections are its own: a broker responds to one request of a connection after the
 * other, so a topic whose replicas are slow would hold up the messages of others.
 */
export class KafkaTopic {
  readonly #options: TopicOptions;
  readonly #links = new Map<string, KafkaLink>();
  readonly #waiting: (() => void)[] = [];
  #known: { readonly metadata: Promise<TopicMetadata>; readonly until: number } | null = null;
  /** The broker that was asked last with success. */
  #preferred = 0;
  #taken = 0;

  constructor(options: TopicOptions) {
    this.#options = options;
  }

  /** Settles once all replicas that are in sync have the message. Throws a `CallFailure` if they don't. */
  async produce(record: KafkaRecord, deadline: Deadline): Promise<Produced> {
    await this.#take(deadline.passed);
    try {
      const batch = toRecordBatch(record);
      const first = await this.#produce(record.key, batch, deadline);
      if (first.code === 0) return first;
      if (!isStale(first.code)) throw failByCode(first.code);
      const second = await this.#produce(record.key, batch, deadline);
      if (second.code === 0) return second;
      throw failByCode(second.code);
    } finally {
      this.#leave();
    }
  }

  async #produce(key: string, batch: Buffer, { passed, endsAt }: Deadline) {
    const { brokers, leaders } = await Promise.race([this.#describe(), passed]);
    const partition = partitionOfKey(key, leaders.length);
    const place = toPlace(brokers.get(leaders[partition] ?? none));
    if (place === null) {
      this.#known = null;
      return { code: 5, partition, offset: 0n };
    }
    const timeoutMs = Math.max(1, Math.round(endsAt - performance.now()));
    const body = produceBody({ topic: this.#options.topic, partition }, batch, timeoutMs);
    try {
      const link = this.#link(place);
      const produced = await link.ask({ name: "produce", body, read: readProduced }, passed);
      if (isStale(produced.code)) this.#known = null;
      return { ...produced, partition };
    } catch (error) {
      const failure = toKafkaFailure(error);
      // Another broker may lead the partition now.
      if (failure.code !== "cancelled") this.#known = null;
      throw atAdvertised(failure);
    }
  }

  /** Where the partitions are. Asked once for all messages that wait for it. */
  #describe(): Promise<TopicMetadata> {
    const nowMs = performance.now();
    if (this.#known !== null && nowMs < this.#known.until) return this.#known.metadata;
    const metadata = this.#askForMetadata();
    const known = { metadata, until: nowMs + keptMs };
    this.#known = known;
    metadata.catch(() => {
      if (this.#known === known) this.#known = null;
    });
    return metadata;
  }

  async #askForMetadata(): Promise<TopicMetadata> {
    const { places } = this.#options;
    for (let tried = 1; ; tried += 1) {
      const place = places[this.#preferred % places.length];
      if (place === undefined) throw new CallFailure("invalid_request");
      try {
        return await this.#askAt(place);
      } catch (error) {
        const failure = toKafkaFailure(error);
        if (tried >= places.length || !isAway.has(failure.code)) throw failure;
        this.#preferred += 1;
      }
    }
  }

  async #askAt(place: BrokerPlace): Promise<TopicMetadata> {
    const { topic, connectMs } = this.#options;
    const { promise: passed, reject } = Promise.withResolvers<never>();
    // The connection has its own limit.
    const timer = setTimeout(() => reject(new CallFailure("timeout", silent)), 2 * connectMs);
    try {
      const body = (version: number) => metadataBody(topic, version);
      const link = this.#link(place);
      const found = await link.ask({ name: "metadata", body, read: readMetadata }, passed);
      if (found.code !== 0) throw failByCode(found.code);
      if (found.leaders.length === 0) throw failByCode(3);
      return found;
    } finally {
      clearTimeout(timer);
    }
  }

  #link(place: BrokerPlace): KafkaLink {
    const key = JSON.stringify(place);
    const found = this.#links.get(key);
    if (found !== undefined) return found;
    const made: KafkaLink = this.#options.openLink(place, () => {
      if (this.#links.get(key) === made) this.#links.delete(key);
      this.#endIfEmpty();
    });
    this.#links.set(key, made);
    return made;
  }

  async #take(passed: Promise<never>): Promise<void> {
    this.#taken += 1;
    if (this.#taken <= this.#options.maxMessages) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    try {
      await Promise.race([promise, passed]);
    } catch (error) {
      const place = this.#waiting.indexOf(resolve);
      if (place >= 0) this.#waiting.splice(place, 1);
      this.#taken -= 1;
      // Its turn had come meanwhile.
      if (place < 0) this.#waiting.shift()?.();
      throw error;
    }
  }

  #leave(): void {
    this.#taken -= 1;
    this.#waiting.shift()?.();
    this.#endIfEmpty();
  }

  #endIfEmpty(): void {
    if (this.#taken === 0 && this.#links.size === 0) this.#options.onEmpty();
  }
}

const none = -1;
const silent = "The broker didn't say in time where the topic is.";

/** After these, another broker may respond. */
const isAway: ReadonlySet<CallFailure["code"]> = new Set([
  ...(["connect", "dns", "tls", "reset", "timeout", "unavailable"] as const),
]);

/** A broker as the cluster names it, in canonical form. Null: it names none. */
function toPlace(named: BrokerPlace | undefined): BrokerPlace | null {
  if (named === undefined) return null;
  const host = named.host.includes(":") ? `[${named.host}]` : named.host;
  const place = readBrokerPlace(`${host}:${named.port}`, named.port);
  if (place !== null) return place;
  throw new BrokerFailure("undelivered", "The cluster names a broker by what isn't an address");
}
