import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher } from "undici";
import type { CallFailure } from "./call-failure.ts";
import type { Carrier, Exchange } from "./exchange.ts";
import { ResponseHeads } from "./response-heads.ts";

type ConnectionOptions = Client.Options & {
  /** Checks the address. */
  readonly connect: buildConnector.connector;
  /** The maximum size of a response's headers in bytes. */
  readonly maxHeaderSize: number;
};

type ConnectionsOptions = {
  readonly client: ConnectionOptions;
  /** The maximum number of connections. Further calls wait until one is free. */
  readonly maxPerOrigin: number;
  /**
   * The maximum number of connections being opened. Further calls wait until one of these is open.
   */
  readonly maxConnectingPerOrigin: number;
};

type ConnectionRequest = Omit<Dispatcher.DispatchOptions, "origin">;

type Call = { readonly request: ConnectionRequest; readonly exchange: Exchange };

/**
 * The connections to each origin. Free ones are a stack: the last used one is taken first, so that
 * the others become idle and close. Undici's own pool looks at every connection for each call,
 * which made a call cost 74 µs with 128 connections and 124 µs with 400, instead of 42 µs.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #origins = new Map<string, OriginConnections>();
  #closing: CallFailure | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Sends a call over a free or a new connection, now or later. A call that has ended by then is
   * never sent.
   */
  send(origin: string, request: ConnectionRequest, exchange: Exchange): void {
    this.#open(origin, exchange)?.send({ request, exchange });
  }

  /** Sends a call at once, over a new connection that carries no other one. */
  sendAlone(origin: string, request: ConnectionRequest, exchange: Exchange): void {
    this.#open(origin, exchange)?.sendAlone({ request: { ...request, reset: true }, exchange });
  }

  /** True if there is neither a connection nor a call. */
  get isUnused(): boolean {
    return this.#origins.size === 0;
  }

  /** Fails all calls, and later ones too. Settles when every connection is closed. */
  async close(reason: CallFailure): Promise<void> {
    this.#closing = reason;
    await Promise.all(this.#origins.values().map((origin) => origin.close(reason)));
  }

  #open(origin: string, exchange: Exchange): OriginConnections | undefined {
    if (this.#closing !== undefined) {
      exchange.fail(this.#closing);
      return undefined;
    }
    const known = this.#origins.get(origin);
    if (known !== undefined) return known;
    const opened = new OriginConnections(origin, this.#options, () => this.#origins.delete(origin));
    this.#origins.set(origin, opened);
    return opened;
  }
}

class OriginConnections {
  readonly #origin: string;
  readonly #options: ConnectionsOptions;
  readonly #onUnused: () => void;
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];
  /** Calls that wait, in order. */
  readonly #waiting = new Set<Call>();
  #connecting = 0;
  #isServing = false;

  constructor(origin: string, options: ConnectionsOptions, onUnused: () => void) {
    this.#origin = origin;
    this.#options = options;
    this.#onUnused = onUnused;
  }

  send(call: Call): void {
    const connection = this.#waiting.size === 0 ? this.#take() : undefined;
    if (connection !== undefined) {
      this.#sendOver(connection, call);
      return;
    }
    // A call that ends while it waits is dropped, with its body.
    this.#waiting.add(call);
    void call.exchange.result.finally(() => this.#waiting.delete(call));
  }

  sendAlone(call: Call): void {
    this.#sendOver(this.#open(), call);
  }

  async close(reason: CallFailure): Promise<void> {
    for (const { exchange } of this.#waiting) exchange.fail(reason);
    this.#waiting.clear();
    await Promise.all([...this.#all].map((connection) => connection.destroy(reason)));
  }

  /** Undefined: the limits are reached. */
  #take(): Connection | undefined {
    for (let free = this.#free.pop(); free !== undefined; free = this.#free.pop()) {
      if (free.isYoung()) return free;
      this.#all.delete(free);
      void free.close();
    }
    const { maxPerOrigin, maxConnectingPerOrigin } = this.#options;
    const isFull = this.#all.size >= maxPerOrigin || this.#connecting >= maxConnectingPerOrigin;
    return isFull ? undefined : this.#open();
  }

  #open(): Connection {
    const connection = new Connection(this.#origin, this.#options.client);
    this.#all.add(connection);
    this.#connecting += 1;
    let isConnecting = true;
    const stopConnecting = () => {
      if (!isConnecting) return;
      isConnecting = false;
      this.#connecting -= 1;
      this.#serve();
    };
    connection.on("connect", stopConnecting);
    connection.on("connectionError", stopConnecting);
    connection.on("drain", () => this.#release(connection));
    connection.on("disconnect", () => {
      const at = this.#free.indexOf(connection);
      if (at === -1) return;
      this.#free.splice(at, 1);
      this.#all.delete(connection);
      this.#leaveIfUnused();
    });
    return connection;
  }

  #sendOver(connection: Connection, { request, exchange }: Call): void {
    exchange.carrier = connection;
    connection.dispatch(request, exchange);
    // Undici rejected the request itself, so the connection won't report that it is free again.
    if (exchange.isSettled && connection.stats.size === 0) {
      this.#all.delete(connection);
      void connection.close();
      this.#leaveIfUnused();
    }
  }

  /**
   * Undici reports this one turn after the response. By then it knows whether the receiver closes
   * the connection.
   */
  #release(connection: Connection): void {
    if (!this.#all.has(connection)) return;
    if (connection.isOpen) this.#free.push(connection);
    else this.#all.delete(connection);
    if (this.#waiting.size > 0) this.#serve();
    this.#leaveIfUnused();
  }

  #leaveIfUnused(): void {
    if (this.#all.size === 0 && this.#waiting.size === 0) this.#onUnused();
  }

  /** A loop, not recursion: thousands of calls may fail as they are sent. */
  #serve(): void {
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      for (const call of this.#waiting) {
        const connection = this.#take();
        if (connection === undefined) break;
        this.#waiting.delete(call);
        this.#sendOver(connection, call);
      }
    } finally {
      this.#isServing = false;
    }
  }
}

/**
 * The maximum age of a connection. A busy connection is released too, so that calls follow DNS
 * changes.
 */
const maxAgeMs = 30_000;

class Connection extends Client implements Carrier {
  isOpen = false;
  carried = 0;
  readonly heads: ResponseHeads;
  #openedAt = 0;

  constructor(origin: string, { connect, maxHeaderSize, ...options }: ConnectionOptions) {
    const heads = new ResponseHeads(maxHeaderSize);
    super(origin, {
      ...options,
      maxHeaderSize,
      connect: (target, done) =>
        connect(target, (...[error, socket]) => {
          if (socket !== null) heads.attach(socket);
          (done as (error: Error | null, socket: Socket | null) => void)(error, socket);
        }),
    });
    this.heads = heads;
    this.on("connect", () => {
      this.isOpen = true;
      this.#openedAt = performance.now();
    });
    this.on("disconnect", () => {
      this.isOpen = false;
      this.carried = 0;
    });
  }

  isYoung(): boolean {
    return performance.now() - this.#openedAt <= maxAgeMs;
  }
}
