import type { ConfirmChannel } from "amqplib";
import { BrokerError, toBrokerError } from "./broker-error.ts";
import { toRecord } from "./records/record.ts";
import type { RecordKey } from "./records/record-keys.ts";
import { type Left, SpoolFullError } from "./spool.ts";

/** A message of this process that isn't stored in the database yet. */
type Entry = {
  readonly position: number;
  readonly deliveries: number;
  readonly bytes: number;
  readonly atMs: number;
  /** Null: the broker has it durably. */
  record: Buffer | null;
  /** Null: no one waits for it. */
  done: ((error: Error | null) => void) | null;
  /** True if it isn't in the queue, and is sent again on the next connection. */
  isRejected: boolean;
  /** True if a notice says that it is stored. It may still be rejected until it is confirmed. */
  isStored: boolean;
};

type OutboxOptions = {
  readonly queue: string;
  /** The time in which a message has to be durable, or it counts as not written. */
  readonly confirmMs: number;
  readonly now: () => number;
  readonly key: RecordKey;
  /** Called if the connection doesn't work as it should. */
  readonly onFault: () => void;
  /** Called once the queue responds, if it wasn't known what is left in it. */
  readonly onKnown: () => void;
};

/**
 * Puts the messages of this process into the queue, in order. After a lost connection, a message is
 * sent again until it is confirmed or its time is over: the ids of its deliveries say what is already
 * stored. A notice that an entry is stored ends it and all before it. Notices may be lost, so an empty
 * message, a marker, asks for another one.
 */
export class BrokerOutbox {
  readonly #options: OutboxOptions;
  /** Oldest first. */
  #entries: Entry[] = [];
  #channel: ConfirmChannel | null = null;
  #replyTo = "";
  #position = 0;
  #deliveries = 0;
  #bytes = 0;
  /** The time of the first of the rejections that have one reason. */
  #rejectedAtMs = Number.NEGATIVE_INFINITY;
  #isFull = false;
  #isHeard = true;
  #hasMessages = false;
  /** True until the queue responds for the first time, if its counts don't say what is left. */
  #isUnknown = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Records of this process, or of those before it, that aren't stored yet. */
  get left(): Left {
    if (this.#entries.length === 0) return "nothing";
    return this.#isUnknown && this.#deliveries === 0 ? "unknown" : "something";
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  get deliveries(): number {
    return this.#deliveries;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get oldestAtMs(): number | null {
    return this.#entries.find(({ deliveries }) => deliveries > 0)?.atMs ?? null;
  }

  /** Settles once the message is at a majority of the queue's nodes, on their disks. */
  async publish(record: Buffer, deliveries: number, atMs: number): Promise<void> {
    const { confirmMs, onFault } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const done = (error: Error | null) => (error === null ? resolve() : reject(error));
    const entry = this.#add({ record, deliveries, atMs, done });
    const timer = setTimeout(() => {
      this.#fail(entry, new BrokerError("BROKER_TIMEOUT", "The broker didn't confirm in time"));
      // Otherwise unsent messages would pile up on the connection.
      if (this.#channel !== null) onFault();
    }, confirmMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param before what the queue may have of processes before this one
   * @param hasMessages whether the broker counts any
   */
  connected(channel: ConfirmChannel, replyTo: string, before: Left, hasMessages: boolean): void {
    this.#channel = channel;
    this.#hasMessages = hasMessages;
    if (before === "unknown") this.#isUnknown = true;
    this.#replyTo = replyTo;
    channel.on("return", ({ fields, properties }) =>
      this.#returned(fields.routingKey, Number(properties.messageId)),
    );
    // The server has closed the channel because of a message, and doesn't say which.
    channel.on("error", (error) => this.#failAll(toRejected(error)));
    for (const entry of this.#entries) if (entry.record !== null) this.#send(entry);
    if (before !== "nothing" || this.left !== "nothing") this.mark();
  }

  lost(): void {
    this.#channel = null;
  }

  /** Asks for a notice that everything up to now is stored. */
  mark(): void {
    this.#removeMarkers();
    const { now, key } = this.#options;
    const atMs = now();
    this.#add({ record: toRecord([], atMs, key), deliveries: 0, atMs, done: null });
  }

  /** Asks again if nothing was heard since the last call. */
  askAgain(): void {
    if (this.left !== "nothing" && !this.#isHeard && this.#channel !== null) this.mark();
    this.#isHeard = false;
  }

  drainedUpTo(position: number): void {
    this.#isHeard = true;
    this.#isFull = false;
    this.#know();
    for (const entry of this.#entries)
      if (entry.position <= position && !entry.isRejected) entry.isStored = true;
    this.#removeStored();
  }

  /**
   * Confirmations and notices come on two channels, so a rejection may come after the notice of a
   * later message. So a batch that someone waits for stays until it is confirmed.
   */
  #removeStored(): void {
    const isOver = ({ isStored, done }: Entry) => isStored && done === null;
    const over = this.#entries.filter(isOver);
    if (over.length === 0) return;
    this.#entries = this.#entries.filter((entry) => !isOver(entry));
    for (const entry of over) this.#end(entry, null);
  }

  #add(fields: Pick<Entry, "deliveries" | "atMs" | "done"> & { readonly record: Buffer }): Entry {
    this.#position += 1;
    const { length: bytes } = fields.record;
    const isNew = { isRejected: false, isStored: false };
    const entry: Entry = { ...fields, ...isNew, position: this.#position, bytes };
    this.#entries.push(entry);
    this.#deliveries += entry.deliveries;
    this.#bytes += entry.bytes;
    this.#send(entry);
    return entry;
  }

  /** Without a connection, it is sent once there is one. */
  #send(entry: Entry): void {
    const channel = this.#channel;
    if (channel === null || entry.record === null) return;
    entry.isRejected = false;
    entry.isStored = false;
    const options = {
      ...{ persistent: true, mandatory: true },
      ...{ messageId: String(entry.position), replyTo: this.#replyTo },
    };
    try {
      channel.publish("", this.#options.queue, entry.record, options, (error: unknown) => {
        if (error === null) this.#confirm(entry);
        // Otherwise the channel was closed.
        else if (isNack(error)) this.#nacked(entry);
      });
    } catch {
      // The channel is closed. Its event follows.
    }
  }

  #confirm(entry: Entry): void {
    this.#isFull = false;
    entry.record = null;
    entry.done?.(null);
    entry.done = null;
    this.#hasMessages ||= entry.deliveries > 0;
    this.#know();
    if (entry.isStored) this.#removeStored();
  }

  #know(): void {
    if (!this.#isUnknown) return;
    this.#isUnknown = false;
    this.#options.onKnown();
  }

  /**
   * Either the queue is full, or it has no leader, or its leader was changing when the channel was opened, and
   * RabbitMQ keeps rejecting messages on this channel. So other connections are tried for a while. Without a
   * leader, RabbitMQ counts no messages.
   */
  #nacked(entry: Entry): void {
    const nowMs = performance.now();
    if (nowMs > this.#rejectedAtMs + rejectionMs) this.#rejectedAtMs = nowMs;
    if (nowMs < this.#rejectedAtMs + this.#options.confirmMs) {
      // Another marker asks the same.
      entry.isRejected = entry.deliveries > 0;
      this.#options.onFault();
      return;
    }
    this.#isFull = true;
    // What a marker asks about is still there, and the next one asks again.
    if (entry.deliveries === 0) return;
    this.#fail(
      entry,
      this.#hasMessages
        ? new SpoolFullError()
        : new BrokerError("BROKER_REJECTED", "The queue has no messages, and takes none"),
    );
  }

  /** The queue is gone, or that for what is set aside. The next connection makes them again. */
  #returned(queue: string, position: number): void {
    const entry = this.#entries.find((each) => each.position === position);
    if (entry !== undefined && queue === this.#options.queue)
      this.#fail(entry, new BrokerError("BROKER_NO_QUEUE", "The broker has no such queue"));
    this.#options.onFault();
  }

  #failAll(error: Error): void {
    for (const entry of this.#entries.filter(({ record, done }) => record && done))
      this.#fail(entry, error);
  }

  #fail(entry: Entry, error: Error): void {
    const at = this.#entries.indexOf(entry);
    if (at === -1) return;
    this.#entries.splice(at, 1);
    this.#end(entry, error);
  }

  #end(entry: Entry, error: Error | null): void {
    this.#deliveries -= entry.deliveries;
    this.#bytes -= entry.bytes;
    entry.record = null;
    entry.done?.(error);
    entry.done = null;
  }

  #removeMarkers(): void {
    const markers = this.#entries.filter(({ deliveries }) => deliveries === 0);
    if (markers.length === 0) return;
    this.#entries = this.#entries.filter(({ deliveries }) => deliveries > 0);
    for (const marker of markers) this.#end(marker, null);
  }
}

/** Rejections within this time count as having one reason. */
const rejectionMs = 30_000;

function isNack(error: unknown): boolean {
  return error instanceof Error && error.message === "message nacked";
}

function toRejected(error: Error): BrokerError {
  return new BrokerError("BROKER_REJECTED", toBrokerError(error).message, { cause: error });
}
