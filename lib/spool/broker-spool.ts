import { log } from "#lib/base/log.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { type BrokerUrl, nameBroker } from "#lib/core/env/broker-url.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { BrokerError } from "./broker-error.ts";
import { BrokerInbox, type Received } from "./broker-inbox.ts";
import { BrokerLink, type Linked } from "./broker-link.ts";
import { BrokerOutbox } from "./broker-outbox.ts";
import {
  findLeft,
  nameSetAside,
  publishAside,
  type QueueCounts,
  toSpoolId,
} from "./broker-queues.ts";
import { AsideRequests } from "./records/aside-requests.ts";
import type { ReadRules } from "./records/find-frames.ts";
import { type SpooledBatch, SpoolVersionError, toRecord } from "./records/record.ts";
import type { RecordKey, RecordKeys } from "./records/record-keys.ts";
import type { UnsignedFiles } from "./records/unsigned-files.ts";
import {
  countFitting,
  type Left,
  type SizedBatch,
  type Spool,
  type SpoolIdentity,
  type SpoolState,
} from "./spool.ts";

type BrokerSpoolOptions = {
  readonly broker: BrokerUrl;
  /** Where the operator of this machine asks to set deliveries aside. */
  readonly folder: string;
  /** The most that waits in the queue. */
  readonly maxBytes: number;
  /** The number of processes of this machine that share it. */
  readonly processes: number;
  readonly now: () => number;
  readonly keys: RecordKeys;
  /** Messages that an earlier version has left. Default: none. */
  readonly unsigned?: Pick<UnsignedFiles, "trustsMessages">;
  /** The time in which a batch has to be durable. The default leaves time for the response. */
  readonly confirmMs?: number;
};

/** With the 200 ms before it, a response stays within the 4 s that storing may take. */
const usualConfirmMs = 3_200;
/** The largest message that RabbitMQ 4 takes with its default settings. */
const maxMessageBytes = 16 * 1024 * 1024;
/** How long a turn waits for messages. */
const waitMs = 50;
const askAgainMs = 5_000;
/** How long a start waits for a queue that has no leader. The server gives a process 30 s to start. */
const maxUnknownMs = 10_000;

/**
 * A spool in a quorum queue of RabbitMQ, which all processes of all machines share. A batch is one
 * message, confirmed once it is on the disks of a majority of the queue's nodes. One process at a time
 * drains it, in order. It acknowledges a message once its deliveries are stored, and tells those who
 * put it in, so that they store directly again.
 */
export class BrokerSpool implements Spool {
  readonly #options: BrokerSpoolOptions;
  readonly #link: BrokerLink;
  readonly #outbox: BrokerOutbox;
  readonly #inbox: BrokerInbox;
  readonly #requests: AsideRequests;
  readonly #asking: NodeJS.Timeout;
  readonly identity: SpoolIdentity;
  #listener: () => void = () => {};
  #counts: QueueCounts = { ready: 0, consumers: 0, setAside: 0 };
  /** True after the first connection. */
  #wasConnected = false;
  /** Settles once the queue responds, if it has to be asked what is left. */
  readonly #known = Promise.withResolvers<void>();
  /** The newest message that `oldest` has given. */
  #given: Received | undefined;

  private constructor(options: BrokerSpoolOptions) {
    const { broker, maxBytes, now, keys, unsigned, confirmMs = usualConfirmMs } = options;
    const { queue } = broker;
    this.#options = options;
    this.identity = {
      spool: toSpoolId(broker),
      writer: "queue",
      host: nameBroker(broker),
      takenOver: [],
    };
    this.#link = new BrokerLink({
      ...{ broker, maxBytes },
      onConnected: (linked) => this.#connected(linked),
      onLost: () => this.#lost(),
    });
    const onFault = () => this.#link.reset();
    const onKnown = () => {
      this.#known.resolve();
      this.#listener();
    };
    this.#outbox = new BrokerOutbox({ queue, confirmMs, now, key: keys.current, onFault, onKnown });
    const readRules = (): ReadRules => ({
      keys,
      unsigned: unsigned?.trustsMessages(now()) === true ? "in_place" : "never",
    });
    this.#inbox = new BrokerInbox({ queue, readRules, onArrival: () => this.#listener() });
    this.#requests = new AsideRequests(options.folder);
    this.#asking = setInterval(() => this.#outbox.askAgain(), askAgainMs);
  }

  /**
   * Opens even if no broker answers, or its queue doesn't. It takes batches once one does. What a queue that
   * doesn't answer has may be stored later than what comes now.
   */
  static async open(options: BrokerSpoolOptions): Promise<BrokerSpool> {
    const spool = new BrokerSpool(options);
    await spool.#link.start();
    if (spool.left === "unknown")
      await withTimeLimit(spool.#known.promise, maxUnknownMs, () => log.warn("spool.left_unknown"));
    return spool;
  }

  get state(): SpoolState {
    const { deliveries, bytes, oldestAtMs } = this.#outbox;
    const { ready, setAside } = this.#counts;
    const { buffer } = this.#inbox;
    const maxBytes = this.#options.maxBytes / this.#options.processes;
    const first = buffer[0]?.sized;
    const readAtMs = typeof first === "object" && "batch" in first ? first.batch.atMs : null;
    const times = [oldestAtMs, readAtMs].filter((atMs) => atMs !== null);
    return {
      ...{ deliveries, bytes, setAside, maxBytes, asideNames: [] },
      waiting: Math.max(deliveries, buffer.length + ready),
      oldestAtMs: times.length === 0 ? null : Math.min(...times),
    };
  }

  get left(): Left {
    return this.#outbox.left;
  }

  /** Without a connection, there is nothing to read until the next one. */
  get isIdle(): boolean {
    const canRead = this.#link.linked !== null;
    return this.#inbox.buffer.length === 0 && (!canRead || this.#inbox.isReading);
  }

  get hasRoom(): boolean {
    return this.#link.linked !== null && !this.#link.isBlocked && !this.#outbox.isFull;
  }

  listen(listener: () => void): void {
    this.#listener = listener;
  }

  async append(deliveries: readonly NewDelivery[]): Promise<void> {
    const { confirmMs = usualConfirmMs, now, keys } = this.#options;
    if (this.#link.isBlocked)
      throw new BrokerError("BROKER_BLOCKED", "The broker's memory or disk is nearly full");
    if (this.#link.lostMs > confirmMs)
      throw this.#link.error ?? new BrokerError("BROKER_AWAY", "The broker can't be reached");
    const atMs = now();
    await Promise.all(
      toMessages(deliveries, atMs, keys.current).map(({ record, count }) =>
        this.#outbox.publish(record, count, atMs),
      ),
    );
  }

  async oldest(): Promise<readonly SpooledBatch[]> {
    await this.#inbox.read().catch(() => this.#link.reset());
    await this.#inbox.waitForMessages(waitMs);
    await this.#setDamagedAside();
    const whole: { received: Received; sized: SizedBatch }[] = [];
    for (const received of this.#inbox.buffer) {
      const { sized } = received;
      if (sized === "other_version" && whole.length === 0) throw new SpoolVersionError();
      if (typeof sized === "string" || "fault" in sized) break;
      whole.push({ received, sized });
    }
    const count = countFitting(whole.map(({ sized }) => sized));
    const given = whole.slice(0, count);
    this.#given = given.at(-1)?.received;
    return given.map(({ sized }) => sized.batch);
  }

  /** Messages that an earlier connection read arrive again, and are found stored then. */
  async remove(): Promise<void> {
    if (this.#given !== undefined) this.#inbox.acknowledge(this.#given);
    this.#given = undefined;
    await this.#requests.end();
  }

  isToSetAside(deliveryId: string): boolean {
    return this.#requests.has(deliveryId);
  }

  async setAside(delivery: NewDelivery): Promise<void> {
    const { now, keys } = this.#options;
    await this.#moveAside(toRecord([delivery], now(), keys.current), delivery.id);
    this.#requests.done(delivery.id);
  }

  async giveBack(): Promise<void> {
    await this.#inbox.giveBack();
  }

  async refresh(): Promise<void> {
    const publishing = this.#link.linked?.publishing;
    if (publishing === undefined) return;
    const { queue } = this.#options.broker;
    const read = async () => ({
      main: await publishing.checkQueue(queue),
      aside: await publishing.checkQueue(nameSetAside(queue)),
    });
    const counts = await withTimeLimit(
      read().catch(() => null),
      2_000,
      () => null,
    );
    if (counts === null) return;
    const { main, aside } = counts;
    this.#counts = {
      ...{ ready: main.messageCount, consumers: main.consumerCount },
      setAside: aside.messageCount,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#asking);
    await this.#link.close();
  }

  #connected({ publishing, notices, found, ...linked }: Linked): void {
    this.#counts = found;
    this.#inbox.connected({ publishing, notices, found, ...linked });
    notices.channel
      .consume(
        notices.queue,
        (message) => this.#outbox.drainedUpTo(Number(message?.properties.correlationId ?? 0)),
        { noAck: true },
      )
      // The connection was lost at once. Its end follows.
      .catch(() => {});
    const before = this.#wasConnected ? "nothing" : findLeft(found);
    this.#wasConnected = true;
    this.#outbox.connected(publishing, notices.queue, before, found.ready > 0);
    this.#listener();
  }

  #lost(): void {
    this.#outbox.lost();
    this.#inbox.lost();
  }

  /** Sets aside damaged messages at the front, so that they block nothing and aren't lost. */
  async #setDamagedAside(): Promise<void> {
    for (;;) {
      const [first] = this.#inbox.buffer;
      if (first === undefined || typeof first.sized !== "object" || !("fault" in first.sized))
        return;
      const { content, properties } = first.message;
      const messageId = String(properties.messageId ?? "unknown");
      await this.#moveAside(content, messageId);
      const { fault } = first.sized;
      log.error("spool.message_damaged", { messageId, fault, bytes: content.length });
      this.#inbox.acknowledge(first);
    }
  }

  async #moveAside(content: Buffer, messageId: string): Promise<void> {
    const publishing = this.#link.linked?.publishing;
    if (publishing === undefined)
      throw new BrokerError("BROKER_AWAY", "The broker can't be reached");
    const { confirmMs = usualConfirmMs, broker } = this.#options;
    await publishAside(publishing, { queue: broker.queue, content, messageId }, confirmMs);
    await this.refresh();
  }
}

type Message = { readonly record: Buffer; readonly count: number };

/** One message, unless it would be larger than a broker takes. */
function toMessages(
  deliveries: readonly NewDelivery[],
  atMs: number,
  key: RecordKey,
): readonly Message[] {
  const record = toRecord(deliveries, atMs, key);
  if (record.length <= maxMessageBytes) return [{ record, count: deliveries.length }];
  if (deliveries.length === 1)
    throw new BrokerError("BROKER_TOO_LARGE", `A message of ${record.length} bytes is too large`);
  const middle = Math.ceil(deliveries.length / 2);
  return [
    ...toMessages(deliveries.slice(0, middle), atMs, key),
    ...toMessages(deliveries.slice(middle), atMs, key),
  ];
}
