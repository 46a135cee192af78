import { setImmediate as afterEvents } from "node:timers/promises";
import type { ConfirmChannel } from "amqplib";
import { CallFailure } from "../call-failure.ts";
import { BrokerFailure, type BrokerReply, failByReply, toBrokerFailure } from "./broker-failure.ts";

/** A message for an exchange. */
export type BrokerMessage = {
  /** Empty: the default one. */
  readonly exchange: string;
  readonly routingKey: string;
  readonly messageId: string;
  readonly type: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/**
 * A channel that has one message at a time. So a reply or a closed channel is about that message, and one that goes to
 * an exchange that doesn't exist costs no other.
 */
export class BrokerChannel {
  readonly #channel: ConfirmChannel;
  #fault: CallFailure | null = null;
  #returned: BrokerReply | null = null;
  #isBusy = false;
  #isClosed = false;

  constructor(channel: ConfirmChannel) {
    this.#channel = channel;
    channel.on("return", ({ fields }: { fields: { replyCode?: number; replyText?: string } }) => {
      this.#returned = { code: fields.replyCode ?? 0, text: fields.replyText ?? "" };
    });
    channel.on("error", (error) => {
      this.#fault = toBrokerFailure(error);
    });
    channel.once("close", () => {
      this.#isClosed = true;
    });
  }

  /** True if it can have another message. */
  get isFree(): boolean {
    return !this.#isBusy && !this.#isClosed;
  }

  /**
   * Settles once the broker has the message, on its disk if the queue is durable. Throws a `CallFailure` if it doesn't.
   *
   * @param whyEnded why the connection has ended. Null: it hasn't
   */
  async publish(message: BrokerMessage, whyEnded: () => CallFailure | null): Promise<void> {
    const { exchange, routingKey, body, ...properties } = message;
    this.#returned = null;
    this.#isBusy = true;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const options = { ...properties, persistent: true, mandatory: true };
    try {
      this.#channel.publish(exchange, routingKey, Buffer.from(body), options, resolve);
    } catch (error) {
      if (this.#isClosed) throw whyEnded() ?? lost();
      const says = error instanceof Error ? error.message : String(error);
      throw new CallFailure("invalid_request", `The message can't be sent: ${says}.`);
    }
    const error = await promise;
    if (error === null || error === undefined) this.#isBusy = false;
    // The broker returns it before it confirms it.
    else if (isNack(error)) throw new BrokerFailure("unavailable", nacked);
    else {
      // The reason comes after the channel has closed.
      await afterEvents();
      throw this.#fault ?? whyEnded() ?? lost();
    }
    if (this.#returned !== null) throw failByReply(this.#returned, noQueue(message));
  }

  /** Ends the channel. A message that isn't confirmed yet may still arrive. */
  close(): void {
    if (!this.#isClosed) this.#channel.close().catch(() => {});
  }
}

const nacked =
  "The broker rejected the message (basic.nack): a queue is full, or isn't available now";

function noQueue({ exchange, routingKey }: BrokerMessage): string {
  const from = exchange === "" ? "the default exchange" : `the exchange ${exchange}`;
  return `: ${from} has no queue for the routing key ${routingKey}`;
}

function lost(): CallFailure {
  return new CallFailure(
    "reset",
    "The connection was closed before the broker confirmed the message.",
  );
}

function isNack(error: unknown): boolean {
  return error instanceof Error && error.message === "message nacked";
}
