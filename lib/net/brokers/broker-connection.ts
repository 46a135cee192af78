import type { ChannelModel } from "amqplib";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { CallFailure } from "../call-failure.ts";
import { BrokerChannel } from "./broker-channel.ts";
import { toBrokerFailure } from "./broker-failure.ts";

type ConnectionOptions = {
  readonly open: (signal: AbortSignal) => Promise<ChannelModel>;
  /** Called once: it takes no more messages. */
  readonly onRetired: () => void;
  readonly onClosed: () => void;
  /** The time for name lookup, connection, and login. */
  readonly connectMs: number;
  /** The time without messages after which it is closed. */
  readonly idleMs: number;
  /** The maximum number of messages at a time. Further ones wait. */
  readonly maxChannels: number;
};

const closeMs = 2_000;
/** No message waits longer than this for its confirmation. */
const drainMs = 60_000;

/** One connection to a broker, with channels for the messages that are sent at the same time. */
export class BrokerConnection {
  readonly #options: ConnectionOptions;
  readonly #ending = new AbortController();
  readonly #model: Promise<ChannelModel>;
  readonly #free: BrokerChannel[] = [];
  readonly #waiting: (() => void)[] = [];
  /** Undefined: it isn't open yet. */
  #opened: ChannelModel | undefined;
  #taken = 0;
  #isRetired = false;
  #idle: NodeJS.Timeout | undefined;
  #end: CallFailure | null = null;
  #blocked: string | null = null;
  #closed: Promise<void> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#model = this.#open();
    this.#model.catch((error: unknown) => this.#onEnd(toBrokerFailure(error)));
  }

  /** True if no message is sent or waits. */
  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /** Why the broker takes no messages now, such as low memory. Null: it does. */
  get blocked(): string | null {
    return this.#blocked;
  }

  /** Why it has ended. Null: it hasn't. */
  readonly whyEnded = (): CallFailure | null => this.#end;

  /** A channel of the caller's own, until it is given back. Throws a `CallFailure`. */
  async take(): Promise<BrokerChannel> {
    if (!this.#isRetired) clearTimeout(this.#idle);
    this.#taken += 1;
    try {
      if (this.#taken > this.#options.maxChannels)
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      const model = await this.#model;
      if (this.#end !== null) throw this.#end;
      return this.#free.pop() ?? new BrokerChannel(await model.createConfirmChannel());
    } catch (error) {
      this.#leave();
      throw this.#end ?? toBrokerFailure(error);
    }
  }

  giveBack(channel: BrokerChannel): void {
    if (channel.isFree) this.#free.push(channel);
    else channel.close();
    this.#leave();
  }

  /** Takes no more messages, and closes once those in flight have ended. */
  retire(): void {
    if (this.#isRetired) return;
    this.#stopTaking();
    if (this.#taken === 0) void this.close();
    else this.#idle = setTimeout(() => void this.close(), drainMs).unref();
  }

  /** Closes it now. Messages in flight fail. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #stopTaking(): void {
    clearTimeout(this.#idle);
    if (!this.#isRetired) this.#options.onRetired();
    this.#isRetired = true;
  }

  async #open(): Promise<ChannelModel> {
    const { open, connectMs } = this.#options;
    const model = await withTimeLimit(open(this.#ending.signal), connectMs, () => {
      this.#ending.abort();
      throw new CallFailure("connect", "The broker didn't accept the connection in time.");
    });
    this.#opened = model;
    model.on("error", (error) => {
      this.#end ??= toBrokerFailure(error);
    });
    model.on("blocked", (reason: string) => {
      this.#blocked = String(reason);
    });
    model.on("unblocked", () => {
      this.#blocked = null;
    });
    model.once("close", (error?: Error) =>
      this.#onEnd(error === undefined ? closedByBroker() : toBrokerFailure(error)),
    );
    return model;
  }

  #onEnd(failure: CallFailure): void {
    this.#end ??= failure;
    for (const go of this.#waiting.splice(0)) go();
    this.retire();
  }

  #leave(): void {
    this.#taken -= 1;
    this.#waiting.shift()?.();
    if (this.#taken > 0) return;
    if (this.#isRetired) void this.close();
    else this.#idle = setTimeout(() => this.retire(), this.#options.idleMs).unref();
  }

  async #close(): Promise<void> {
    const model = this.#end === null ? this.#opened : undefined;
    this.#end ??= new CallFailure("cancelled");
    this.#stopTaking();
    if (model !== undefined) await withTimeLimit(model.close().catch(ignore), closeMs, ignore);
    this.#ending.abort();
    clearTimeout(this.#idle);
    this.#options.onClosed();
  }
}

function closedByBroker(): CallFailure {
  return new CallFailure("reset", "The broker closed the connection.");
}

function ignore(): void {}
