import type { Dispatcher } from "undici";
import { CallFailure, toCallFailure } from "./call-failure.ts";
import type { CallResponse, CallResult } from "./call-result.ts";
import { maxInterimResponses, type ResponseHeads } from "./response-heads.ts";

type ExchangeOptions = {
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Repeating the request has no further effect (RFC 9110 §9.2.2). */
  readonly isIdempotent: boolean;
  /** Dispatches this exchange again over a new connection. */
  readonly sendAgain: () => void;
};

/** The connection that an exchange is sent over. */
export type Carrier = {
  /** The number of exchanges sent over the connection since it was opened. */
  carried: number;
  readonly heads: Pick<ResponseHeads, "expect">;
};

/**
 * If a receiver closes an idle connection while a call is on its way, it never reads that call, and
 * the close arrives within a round trip. Later than that, it may have read the call and processed
 * it. See docs/decisions/runs/036.
 */
const staleWithinMs = 100;

/** A timer that is so late shows that the process hung. */
const hungMs = 100;
/** Enough to read what the sockets have, also of many calls. */
const readAfterHangMs = 500;

/**
 * One request and its response, as a handler for undici. Like `undici.request` without the stream
 * in between: bytes are collected up to the limit and then the socket is closed, so a response
 * never waits in memory. The first event of response, failure, deadline, and cancellation settles
 * it, and later events are ignored.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<CallResult>;
  /** Set before the request is sent. */
  carrier: Carrier | undefined;
  readonly #options: ExchangeOptions;
  readonly #startedAt = performance.now();
  #deadline: NodeJS.Timeout;
  readonly #resolve: (result: CallResult) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #isSettled = false;
  #isSent = false;
  #isReused = false;
  hasResponse = false;
  #isSentAgain = false;
  #sentAt = 0;
  #interimResponses = 0;
  #status = 0;
  #headers: [string, string][] = [];
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    this.result = promise;
    this.#resolve = resolve;
    this.#deadline = setTimeout(() => this.#timeOut(), options.timeoutMs);
    if (options.signal !== undefined) listenForAbort(options.signal, this.#onAbort);
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#isSent = true;
    if (this.carrier !== undefined) {
      this.#isReused = this.carrier.carried++ > 0;
      this.carrier.heads.expect(this);
    }
    this.#sentAt = performance.now();
    if (this.#isSettled) controller.abort(new CallFailure("cancelled"));
  }

  /** Called for the first byte of a response, including an interim one. */
  onResponseStarted(): void {
    this.hasResponse = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) {
      this.#interimResponses += 1;
      if (this.#interimResponses > maxInterimResponses) this.fail(new CallFailure("protocol"));
      return;
    }
    this.#status = status;
    this.#headers = toPairs(controller.rawHeaders);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    const room = this.#options.maxResponseBytes - this.#size;
    if (chunk.length <= room) {
      this.#keep(chunk);
      return;
    }
    this.#keep(chunk.subarray(0, room));
    this.#succeed(true);
    this.#controller?.abort(new CallFailure("cancelled"));
  }

  onResponseEnd(): void {
    this.#succeed(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = toCallFailure(error);
    if (this.#isUnread(failure)) {
      this.#isSentAgain = true;
      this.#isSent = false;
      this.#options.sendAgain();
      return;
    }
    this.fail(failure);
  }

  /** True if the receiver closed a kept-alive connection and has not read this call. */
  #isUnread({ code }: CallFailure): boolean {
    if (this.#isSettled || this.#isSentAgain || code !== "reset") return false;
    // The connection was closed before the call was written.
    if (!this.#isSent) return this.carrier !== undefined && this.carrier.carried > 0;
    if (!this.#isReused || this.hasResponse) return false;
    return this.#options.isIdempotent || performance.now() - this.#sentAt <= staleWithinMs;
  }

  /**
   * Timers come before sockets. If this process hung, or the machine slept, the response may be here, and
   * is read first: the receiver has done its work in time. A call that wasn't sent is given up, since
   * the receiver would have no time left for it.
   */
  #timeOut(): void {
    const lateMs = performance.now() - this.#startedAt - this.#options.timeoutMs;
    const fail = () => this.fail(new CallFailure("timeout"));
    if (lateMs < hungMs || !this.#isSent) fail();
    else this.#deadline = setTimeout(fail, readAfterHangMs);
  }

  readonly #onAbort = (): void => this.fail(new CallFailure("cancelled"));

  #keep(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
  }

  #succeed(truncated: boolean): void {
    const response = this.#response(truncated);
    if (response === null) this.fail(new CallFailure("protocol"));
    else this.#end({ ok: true, response, durationMs: this.#elapsedMs() });
  }

  fail(failure: CallFailure): void {
    const { code, message } = failure;
    this.#end({
      ok: false,
      error: { code, message },
      response: this.#response(true),
      durationMs: this.#elapsedMs(),
    });
    this.#controller?.abort(failure);
  }

  #end(result: CallResult): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    const { signal } = this.#options;
    if (signal !== undefined) stopListening(signal, this.#onAbort);
    this.#resolve(result);
  }

  #response(truncated: boolean): CallResponse | null {
    if (this.#status === 0) return null;
    const body = this.#chunks.length === 0 ? noBytes : Buffer.concat(this.#chunks);
    return { status: this.#status, headers: this.#headers, body, truncated };
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

const noBytes = new Uint8Array(0);

function toPairs(rawHeaders: Dispatcher.DispatchController["rawHeaders"]): [string, string][] {
  const pairs: [string, string][] = [];
  if (!Array.isArray(rawHeaders)) return pairs;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([toText(rawHeaders[index]).toLowerCase(), toText(rawHeaders[index + 1])]);
  }
  return pairs;
}

function toText(raw: Buffer | string | undefined): string {
  if (raw === undefined) return "";
  return typeof raw === "string" ? raw : raw.toString("latin1");
}

/**
 * All calls of a worker share one signal. A signal compares a new listener with all others, so each
 * signal gets one listener, however many calls there are.
 */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when the signal is aborted, or now if it already is. */
export function listenForAbort(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) {
    callback();
    return;
  }
  const known = callbacks.get(signal);
  if (known !== undefined) {
    known.add(callback);
    return;
  }
  const added = new Set([callback]);
  callbacks.set(signal, added);
  signal.addEventListener("abort", () => added.forEach((one) => void one()), { once: true });
}

export function stopListening(signal: AbortSignal, callback: () => void): void {
  callbacks.get(signal)?.delete(callback);
}
