import type { Dispatcher } from "undici";
import { CallFailure, toCallFailure } from "./call-failure.ts";
import type { CallResponse, CallResult } from "./call-result.ts";

export type ExchangeOptions = {
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Called once: it begins to be sent, or never will be. */
  readonly onStarted: () => void;
};

/** A server may announce itself with some interim answers (RFC 9110 §15.2), not with a flood of them. */
const maxInterimAnswers = 16;

/**
 * One request and its answer, as the handler that undici drives. It is `undici.request` without the stream in
 * between: bytes are kept up to the limit and then the socket is closed, so an answer never waits in memory.
 * The first of answer, failure, deadline and cancel settles it; what comes later is ignored.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<CallResult>;
  readonly #options: ExchangeOptions;
  readonly #startedAt = performance.now();
  readonly #deadline: NodeJS.Timeout;
  readonly #settle: (result: CallResult) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #isSettled = false;
  #isStarted = false;
  #interimAnswers = 0;
  #status = 0;
  #headers: [string, string][] = [];
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    this.result = promise;
    this.#settle = resolve;
    this.#deadline = setTimeout(() => this.#fail(new CallFailure("timeout")), options.timeoutMs);
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (options.signal?.aborted) this.#onAbort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#start();
    if (this.#isSettled) controller.abort(new CallFailure("cancelled"));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) {
      this.#interimAnswers += 1;
      if (this.#interimAnswers > maxInterimAnswers) this.#fail(new CallFailure("protocol"));
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
    this.#start();
    this.#fail(toCallFailure(error));
  }

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#options.onStarted();
  }

  readonly #onAbort = (): void => this.#fail(new CallFailure("cancelled"));

  #keep(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
  }

  #succeed(truncated: boolean): void {
    const response = this.#response(truncated);
    if (response === null) this.#fail(new CallFailure("protocol"));
    else this.#end({ ok: true, response, durationMs: this.#elapsedMs() });
  }

  #fail(failure: CallFailure): void {
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
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#settle(result);
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
