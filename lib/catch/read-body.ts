import type { IncomingMessage } from "node:http";

export type BodyResult =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly reason: "too_large" | "stalled" | "aborted" };

export type BodyLimits = {
  readonly maxBytes: number;
  /** A body from which nothing came for so long is cut off, in milliseconds. */
  readonly stallMs: number;
  /** After `stallMs`, a sender slower than this is cut off too, in bytes a second: dripping would hold a socket for ever. */
  readonly minBytesPerSecond: number;
};

type Reading = { readonly startedAtMs: number; lastAtMs: number; bytes: number; readonly stop: () => void };

const empty = Buffer.alloc(0);

/**
 * Reads request bodies whole, up to a limit that is never cut and stored. One sweep a second looks after all of them:
 * a timer for each would cost more than reading it.
 */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #now: () => number;
  readonly #readings = new Set<Reading>();

  constructor(limits: BodyLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  read(request: IncomingMessage): Promise<BodyResult> {
    const announced = announcedLength(request);
    if (announced > this.#limits.maxBytes) return Promise.resolve({ ok: false, reason: "too_large" });
    if (announced === 0) return Promise.resolve({ ok: true, body: empty });
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const startedAtMs = this.#now();
      const reading: Reading = {
        startedAtMs,
        lastAtMs: startedAtMs,
        bytes: 0,
        stop: () => settle({ ok: false, reason: "stalled" }),
      };
      const settle = (result: BodyResult) => {
        this.#readings.delete(reading);
        request.off("data", onData).off("end", onEnd).off("close", onClose);
        resolve(result);
      };
      const onData = (chunk: Buffer) => {
        reading.bytes += chunk.length;
        reading.lastAtMs = this.#now();
        if (reading.bytes > this.#limits.maxBytes) {
          request.pause();
          settle({ ok: false, reason: "too_large" });
          return;
        }
        chunks.push(chunk);
      };
      const onEnd = () => settle({ ok: true, body: join(chunks) });
      const onClose = () => settle({ ok: false, reason: "aborted" });
      this.#readings.add(reading);
      request.on("data", onData).on("end", onEnd).on("close", onClose);
      request.on("error", ignore);
      if (request.destroyed) onClose();
    });
  }

  /** Cuts off who sends nothing, or next to nothing. Call it every second. */
  sweep(): void {
    const nowMs = this.#now();
    const { stallMs, minBytesPerSecond } = this.#limits;
    for (const { startedAtMs, lastAtMs, bytes, stop } of this.#readings) {
      const elapsedMs = nowMs - startedAtMs;
      const isTooSlow = elapsedMs > stallMs && bytes < (elapsedMs / 1000) * minBytesPerSecond;
      if (nowMs - lastAtMs >= stallMs || isTooSlow) stop();
    }
  }
}

/** The length that the sender announced; NaN for a chunked body. */
export function announcedLength(request: IncomingMessage): number {
  const length = request.headers["content-length"];
  if (length !== undefined) return Number(length);
  return request.headers["transfer-encoding"] === undefined ? 0 : Number.NaN;
}

function join(chunks: readonly Buffer[]): Buffer {
  const [first = empty] = chunks;
  return chunks.length <= 1 ? first : Buffer.concat(chunks);
}

// `close` follows an error and says all there is to say.
function ignore(): void {}
