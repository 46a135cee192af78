import type { Channel, ConsumeMessage } from "amqplib";
import { withTimeLimit } from "#lib/with-time-limit.ts";
import type { Linked } from "./broker-link.ts";
import { findRecord, readRecord } from "./record.ts";
import type { SizedBatch, SpooledBatch } from "./spool.ts";

/** A message of the queue that this process has and didn't acknowledge. */
export type Received = {
  readonly message: ConsumeMessage;
  /** Null: it is no record, or was changed. */
  readonly sized: SizedBatch | null;
};

/** How many messages the broker sends ahead. Narrow, if they turn out to be large. */
const wide = 512;
const narrow = 4;
/** More than this in memory, and the queue is read again with the narrow limit. */
const maxBufferedBytes = 64 * 1024 * 1024;
/** A buffer that is read for the first time again, or has become empty, may be wide. */
const smallBytes = 128 * 1024;

const closeMs = 1_000;

export type InboxOptions = {
  readonly queue: string;
  readonly onArrival: () => void;
};

/**
 * What this process reads from the queue, in its order. The broker gives messages to one process at a
 * time, and to the next one if that gives them back or its connection ends. Messages that weren't
 * acknowledged then come again first, in order.
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

  /** True if messages come by themselves. */
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

  /** Begins to read, if it can and didn't yet. */
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

  /** Settles after some time, or earlier if a message has come. */
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
   * Removes the oldest ones from the queue, and tells those who put them in.
   *
   * @param last the newest of them. Nothing happens if the connection was lost since
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

  /** Lets another process read what wasn't acknowledged. It may be this one again. */
  async giveBack(): Promise<void> {
    const channel = this.#channel;
    this.#clear();
    if (channel === null) return;
    // If the connection is lost meanwhile, it isn't told that the channel is closed.
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
    this.#buffer.push({ message, sized: toBatch(message.content) });
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

function toBatch(content: Buffer): SizedBatch | null {
  if (content.length === 0) return null;
  const found = findRecord(content, 0);
  if (typeof found === "string" || found.end !== content.length) return null;
  const batch: SpooledBatch = readRecord(content, 0, found);
  return { batch, bytes: content.length };
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
