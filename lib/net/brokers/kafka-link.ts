import type { Socket } from "node:net";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import {
  type ApiName,
  apis,
  chooseVersion,
  type KnownVersions,
  readApiVersions,
  toRequest,
} from "#lib/core/sending/kafka/requests.ts";
import { KafkaReader } from "#lib/core/sending/kafka/wire.ts";
import { CallFailure } from "../call-failure.ts";
import { failByCode, toKafkaFailure, tooOld, unreadable } from "./kafka-failure.ts";

/** A request, for the version that the broker knows. */
type KafkaRequest<Value> = {
  readonly name: ApiName;
  readonly body: Buffer | ((version: number) => Buffer);
  readonly read: (reader: KafkaReader, version: number) => Value;
};

export type Ask = <Value>(request: KafkaRequest<Value>) => Promise<Value>;

export type LinkOptions = {
  readonly open: (signal: AbortSignal) => Promise<Socket>;
  /** Returns after how many milliseconds to log in again. 0: never. */
  readonly logIn: (ask: Ask) => Promise<number>;
  /** What it means if the broker closes the connection. */
  readonly closedSays: string;
  /** Called once: it takes no more messages. */
  readonly onRetired: () => void;
  readonly onClosed: () => void;
  /** The time for name lookup, connection, and login. */
  readonly connectMs: number;
  /** The time without requests after which it is closed. */
  readonly idleMs: number;
};

type Waiting = {
  readonly id: number;
  readonly done: (response: KafkaReader | CallFailure) => void;
};

/** No response about one topic is longer. */
const maxResponseBytes = 4 * 1024 * 1024;
const maxTimerMs = 2 ** 31 - 1;
/** What every broker understands. */
const firstVersions: KnownVersions = new Map([[apis.apiVersions.key, apis.apiVersions.versions]]);

/** One connection to one broker of Kafka. Responses come in the order of the requests. */
export class KafkaLink {
  readonly #options: LinkOptions;
  readonly #ending = new AbortController();
  readonly #waiting: Waiting[] = [];
  readonly #ready: Promise<void>;
  #socket: Socket | undefined;
  #versions = firstVersions;
  #rest: Buffer = Buffer.alloc(0);
  #lastId = 0;
  #users = 0;
  #isRetired = false;
  #end: CallFailure | null = null;
  #timer: NodeJS.Timeout | undefined;
  #lifetime: NodeJS.Timeout | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#ready = this.#open();
    this.#ready.catch((error: unknown) => this.#fail(toKafkaFailure(error)));
  }

  /** True if nothing waits for a response. */
  get isIdle(): boolean {
    return this.#users === 0;
  }

  /**
   * Asks the broker. Throws a `CallFailure`.
   *
   * @param passed rejects when the caller waits no longer. After the deadline the link takes no more requests,
   * because the broker responds to one after the other
   */
  async ask<Value>(request: KafkaRequest<Value>, passed: Promise<never>): Promise<Value> {
    clearTimeout(this.#timer);
    this.#users += 1;
    let isLate = false;
    const asking = this.#ready.then(() => {
      // It would arrive after its attempt has failed.
      if (isLate) throw new CallFailure("timeout");
      return this.#ask(request);
    });
    asking.catch(ignore);
    try {
      return await Promise.race([asking, passed]);
    } catch (error) {
      isLate = true;
      const failure = this.#end ?? toKafkaFailure(error);
      if (failure.code === "timeout") this.retire();
      throw error instanceof CallFailure ? error : failure;
    } finally {
      this.#leave();
    }
  }

  /** Takes no more requests, and closes once nothing waits for a response. Everything has a deadline. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    clearTimeout(this.#timer);
    this.#options.onRetired();
    if (this.#users === 0) this.close();
  }

  /** Closes it now. Requests without a response fail. */
  close(): void {
    this.#fail(new CallFailure("cancelled"));
  }

  async #open(): Promise<void> {
    const { open, connectMs } = this.#options;
    const opening = open(this.#ending.signal).then((socket) => this.#greet(socket));
    const endsInMs = await withTimeLimit(opening, connectMs, () => {
      throw new CallFailure("connect", "The broker didn't accept the connection in time.");
    });
    if (endsInMs === 0 || this.#end !== null) return;
    this.#lifetime = setTimeout(() => this.retire(), Math.min(endsInMs, maxTimerMs)).unref();
  }

  async #greet(socket: Socket): Promise<number> {
    this.#listen(socket);
    // It was closed while the socket was opened.
    if (this.#end !== null) socket.destroy();
    const body = Buffer.alloc(0);
    const said = await this.#ask({ name: "apiVersions", body, read: readApiVersions });
    if (said.code !== 0) throw failByCode(said.code);
    this.#versions = said.versions;
    return await this.#options.logIn((request) => this.#ask(request));
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("error", (error) => this.#fail(toKafkaFailure(error)));
    socket.once("close", () => this.#fail(new CallFailure("reset", this.#options.closedSays)));
  }

  async #ask<Value>({ name, body, read }: KafkaRequest<Value>): Promise<Value> {
    if (this.#end !== null) throw this.#end;
    const version = chooseVersion(name, this.#versions);
    if (version === null) throw tooOld();
    this.#lastId = (this.#lastId + 1) % 0x7fffffff;
    const id = this.#lastId;
    const bytes = typeof body === "function" ? body(version) : body;
    const { promise, resolve: done } = Promise.withResolvers<KafkaReader | CallFailure>();
    this.#waiting.push({ id, done });
    this.#socket?.write(toRequest(name, { version, id, body: bytes }));
    const response = await promise;
    if (response instanceof CallFailure) throw response;
    return read(response, version);
  }

  #read(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 4 && this.#end === null) {
      const size = this.#rest.readInt32BE(0);
      const isOurs = size >= 4 && size <= maxResponseBytes;
      if (isOurs && this.#rest.length < 4 + size) return;
      if (!isOurs || !this.#accept(this.#rest.subarray(4, 4 + size))) this.#fail(unreadable());
      this.#rest = this.#rest.subarray(4 + size);
    }
  }

  /** False: it isn't the response to the oldest request. */
  #accept(bytes: Buffer): boolean {
    const response = new KafkaReader(bytes);
    const [oldest] = this.#waiting;
    if (oldest?.id !== response.int32()) return false;
    this.#waiting.shift();
    oldest.done(response);
    return true;
  }

  #fail(failure: CallFailure): void {
    if (this.#end !== null) return;
    this.#end = failure;
    if (!this.#isRetired) this.#options.onRetired();
    this.#isRetired = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#lifetime);
    this.#ending.abort();
    this.#socket?.destroy();
    this.#rest = Buffer.alloc(0);
    for (const { done } of this.#waiting.splice(0)) done(failure);
    this.#options.onClosed();
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0 || this.#end !== null) return;
    if (this.#isRetired) this.close();
    else this.#timer = setTimeout(() => this.retire(), this.#options.idleMs).unref();
  }
}

function ignore(): void {}
