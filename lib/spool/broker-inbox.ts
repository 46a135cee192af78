import type { Channel, ConsumeMessage } from "amqplib";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { Linked } from "./broker-link.ts";
import type { ReadRules } from "./records/find-frames.ts";
import { frameAt, type RecordFault, readRecord, SpoolVersionError } from "./records/record.ts";
import type { SizedBatch } from "./spool.ts";

/** A message that this process has read from the queue and not acknowledged yet. */
export type Received = {
  readonly message: ConsumeMessage;
  /** With a fault, it isn't a record of this server, or it was changed. */
  readonly sized: SizedBatch | { readonly fault: RecordFault } | "other_version";
};

/** The number of messages that the broker sends ahead. Narrow if they turn out to be large. */
const wide = 512;
const narrow = 4;
/** With more than this in memory, the queue is read again with the narrow limit. */
const maxBufferedBytes = 64 * 1024 * 1024;
/** If the last message of an emptied buffer is smaller than this, the wide limit is used again. */
const smallBytes = 128 * 1024;

const closeMs = 1_000;

type InboxOptions = {
  readonly queue: string;
  readonly readRules: () => ReadRules;
  readonly onArrival: () => void;
};

/**
 * Reads the queue for this process, in order. The broker gives messages to one process at a time. If
 * that process gives them back or its connection ends, the next one gets them. Messages that weren't
 * acknowledged arrive again first, in order.
 */
export class BrokerInbox {
  readonly #options: InboxOptions;
  #linked: Linked | null = null;
  #channel: Channel | null = null;
  #buffer: Received[] = [];
  #bytes = 0;
  #prefetch = wide;
  #arrived: (() => void) | null = null;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Messages that were read, oldest first. */
  get buffer(): readonly Received[] {
    return this.#buffer;
  }

  /** True if new messages arrive without another call. */
  get isReading(): boolean {
    return this.#channel !== null;
  }

  connected(linked: Linked): void {
    this.#linked = linked;
  }

  lost(): void {
    this.#linked = null;
    this.#clear();
  }

  /** Begins to read, if there is a connection and it isn't reading yet. */
  async read(): Promise<void> {
    const linked = this.#linked;
    if (linked === null || this.#channel !== null) return;
    const channel = await linked.connection.createChannel();
    channel.on("error", () => {});
    if (linked !== this.#linked) return;
    this.#channel = channel;
    channel.once("close", () => {
      if (this.#channel === channel) this.#clear();
    });
    await channel.prefetch(this.#prefetch);
    await channel.consume(this.#options.queue, (message) => this.#receive(channel, message));
  }

  /** Settles once a message has arrived, or after `maxMs`. */
  async waitForMessages(maxMs: number): Promise<void> {
    if (this.#buffer.length > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, maxMs);
    this.#arrived = resolve;
    await promise;
    clearTimeout(timer);
    this.#arrived = null;
  }

  /**
   * Removes the oldest messages from the queue, and notifies the processes that published them.
   *
   * @param last the newest of them. Nothing happens if the connection has been lost since
   */
  acknowledge(last: Received): void {
    const channel = this.#channel;
    const count = this.#buffer.indexOf(last) + 1;
    if (channel === null || count === 0) return;
    const done = this.#buffer.splice(0, count);
    for (const { message } of done) this.#bytes -= message.content.length;
    channel.ack(last.message, true);
    for (const [replyTo, messageId] of findNotices(done))
      channel.publish("", replyTo, Buffer.alloc(0), { correlationId: messageId });
    if (this.#buffer.length === 0 && last.message.content.length < smallBytes)
      this.#prefetch = wide;
  }

  /** Lets another process, or this one again, read the messages that weren't acknowledged. */
  async giveBack(): Promise<void> {
    const channel = this.#channel;
    this.#clear();
    if (channel === null) return;
    // If the connection is lost meanwhile, closing the channel never settles.
    await withTimeLimit(
      channel.close().catch(() => {}),
      closeMs,
      () => {},
    );
  }

  #receive(channel: Channel, message: ConsumeMessage | null): void {
    if (channel !== this.#channel) return;
    // The queue was deleted, or has another leader.
    if (message === null) return void this.giveBack();
    this.#buffer.push({ message, sized: toBatch(message.content, this.#options.readRules()) });
    this.#bytes += message.content.length;
    if (this.#bytes > maxBufferedBytes && this.#buffer.length > narrow) {
      this.#prefetch = narrow;
      void this.giveBack();
    }
    this.#arrived?.();
    this.#options.onArrival();
  }

  #clear(): void {
    this.#channel = null;
    this.#buffer = [];
    this.#bytes = 0;
  }
}

/** Nothing is thrown: that would end the connection, again with each connection that reads the message. */
function toBatch(content: Buffer, { keys, unsigned }: ReadRules): Received["sized"] {
  const frame = frameAt(content, 0, keys, unsigned !== "never");
  if (frame.kind === "unreadable") return { fault: frame.fault };
  if (frame.end !== content.length) return { fault: "damaged" };
  try {
    return { batch: readRecord(content, frame), bytes: content.length };
  } catch (error) {
    if (error instanceof SpoolVersionError) return "other_version";
    throw error;
  }
}

/** The newest message of each process. */
function findNotices(done: readonly Received[]): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const { message } of done) {
    const { replyTo, messageId } = message.properties;
    if (typeof replyTo === "string" && typeof messageId === "string")
      newest.set(replyTo, messageId);
  }
  return newest;
}
