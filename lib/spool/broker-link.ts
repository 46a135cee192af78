import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Channel, type ChannelModel, type ConfirmChannel, connect } from "amqplib";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { type BrokerHost, type BrokerUrl, nameHost } from "#lib/core/env/broker-url.ts";
import { BrokerError, toBrokerError } from "./broker-error.ts";
import { declareQueues, type QueueCounts } from "./broker-queues.ts";

const connectMs = 2_000;
/** A queue without a majority of its nodes doesn't answer. */
const setUpMs = 5_000;
const firstPauseMs = 100;
const maxPauseMs = 5_000;
const heartbeatSeconds = 5;

/** A connection with its channels. */
export type Linked = {
  readonly connection: ChannelModel;
  /** Confirms what is published. */
  readonly publishing: ConfirmChannel;
  /** This connection's own queue, for notices that its messages are stored. */
  readonly notices: { readonly channel: Channel; readonly queue: string };
  /** The counts of the queues when the connection was made. */
  readonly found: QueueCounts;
};

type LinkOptions = {
  readonly broker: BrokerUrl;
  readonly maxBytes: number;
  readonly onConnected: (linked: Linked) => void;
  readonly onLost: () => void;
};

/** Keeps one connection to one of the hosts. If anything on it fails, makes another one. */
export class BrokerLink {
  readonly #options: LinkOptions;
  readonly #stopping = new AbortController();
  readonly #firstRound = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  #linked: Linked | null = null;
  #ending = new AbortController();
  #lostAtMs = performance.now();
  #isBlocked = false;
  #error: BrokerError | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Settles once it is connected, or every host has failed once. It keeps trying after that. */
  async start(): Promise<void> {
    this.#running = this.#run();
    await this.#firstRound.promise;
  }

  get linked(): Linked | null {
    return this.#linked;
  }

  /** True while the broker takes nothing, because its memory or disk is nearly full. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** How long there has been no connection. */
  get lostMs(): number {
    return this.#linked === null ? performance.now() - this.#lostAtMs : 0;
  }

  /** Why the last host failed. Null: it is connected. */
  get error(): BrokerError | null {
    return this.#error;
  }

  /** Drops the connection, with everything that it still has to send, and makes another one. */
  reset(): void {
    this.#ending.abort();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    const { connection } = this.#linked ?? {};
    // Closed properly, so that acknowledged messages aren't read again.
    if (connection !== undefined)
      await withTimeLimit(connection.close().catch(ignore), connectMs, ignore);
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { hosts } = this.#options.broker;
    let pauseMs = firstPauseMs;
    for (let tried = 0; !this.#stopping.signal.aborted; tried += 1) {
      const wasLinked = await this.#use(hosts[tried % hosts.length] ?? hosts[0]);
      if (wasLinked) pauseMs = firstPauseMs;
      else if ((tried + 1) % hosts.length !== 0) continue;
      this.#firstRound.resolve();
      await delay(pauseMs, undefined, { signal: this.#stopping.signal }).catch(ignore);
      if (!wasLinked) pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
    this.#firstRound.resolve();
  }

  /** Settles when the connection has ended. @returns false if there was none */
  async #use(host: BrokerHost): Promise<boolean> {
    const { broker, maxBytes, onConnected, onLost } = this.#options;
    const ending = new AbortController();
    this.#ending = ending;
    try {
      const connection = await connectTo(broker, host, ending.signal);
      const ended = new Promise<void>((resolve) => connection.once("close", () => resolve()));
      connection.on("error", (error) => this.#fail(error, host));
      connection.on("blocked", () => this.#setBlocked(true));
      connection.on("unblocked", () => this.#setBlocked(false));
      const linked = await withTimeLimit(setUp(connection, broker, maxBytes), setUpMs, () => {
        throw new BrokerError("BROKER_TIMEOUT", "Its queues don't answer");
      });
      for (const channel of [linked.publishing, linked.notices.channel])
        channel.once("close", () => ending.abort());
      this.#linked = linked;
      this.#error = null;
      log.info("spool.broker_connected", { host: nameHost(host) });
      onConnected(linked);
      this.#firstRound.resolve();
      await ended;
      return true;
    } catch (error) {
      this.#fail(error, host);
      return false;
    } finally {
      ending.abort();
      if (this.#linked !== null) {
        this.#linked = null;
        this.#lostAtMs = performance.now();
        this.#setBlocked(false);
        if (!this.#stopping.signal.aborted) log.warn("spool.broker_lost", { host: nameHost(host) });
        onLost();
      }
    }
  }

  #fail(error: unknown, host: BrokerHost): void {
    if (this.#stopping.signal.aborted) return;
    this.#error = toBrokerError(error);
    const { code, message } = this.#error;
    logCounted("warn", "spool.broker_failed", { host: nameHost(host), code, message });
  }

  #setBlocked(isBlocked: boolean): void {
    if (isBlocked !== this.#isBlocked) log.warn("spool.broker_blocked", { isBlocked });
    this.#isBlocked = isBlocked;
  }
}

/** @param signal ends the connection at once, without sending anything more */
export async function connectTo(
  { isTls, user, password, vhost, caFile }: BrokerUrl,
  { host, port }: BrokerHost,
  signal: AbortSignal,
): Promise<ChannelModel> {
  const ca = caFile === undefined ? undefined : readFileSync(caFile);
  const protocol = isTls ? "amqps" : "amqp";
  const place = { protocol, hostname: host, port, vhost, heartbeat: heartbeatSeconds };
  const socket = { timeout: connectMs, noDelay: true, signal, ...(ca !== undefined && { ca }) };
  return await connect(
    { ...place, username: user, password },
    { ...socket, clientProperties: { connection_name: "catchment-spool" } },
  );
}

/** Connects to the first host that answers. Rejects with the last error. */
export async function connectToAny(broker: BrokerUrl): Promise<ChannelModel> {
  let last = new BrokerError("BROKER_AWAY", "It has no hosts");
  for (const host of broker.hosts)
    try {
      const connection = await connectTo(broker, host, new AbortController().signal);
      connection.on("error", ignore);
      return connection;
    } catch (error) {
      last = toBrokerError(error);
    }
  throw last;
}

async function setUp(
  connection: ChannelModel,
  broker: BrokerUrl,
  maxBytes: number,
): Promise<Linked> {
  const found = await declareQueues(connection, broker, maxBytes);
  const publishing = await connection.createConfirmChannel();
  const channel = await connection.createChannel();
  for (const each of [publishing, channel]) each.on("error", ignore);
  const options = { exclusive: true, autoDelete: true, durable: false };
  const { queue } = await channel.assertQueue("", options);
  return { connection, publishing, notices: { channel, queue }, found };
}

function ignore(): void {}
