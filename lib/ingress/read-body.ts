import type { IncomingMessage } from "node:http";

export type BodyResult =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly reason: "too_large" | "stalled" | "aborted" | "no_room" };

type BodyLimits = {
  readonly maxBytes: number;
  /** Maximum bytes of all bodies in flight, to bound memory. */
  readonly maxHeldBytes: number;
  /** Timeout without new bytes, in milliseconds. */
  readonly stallMs: number;
  /** The minimum rate. After `stallMs`, slower requests are cut off too. */
  readonly minBytesPerSecond: number;
  /** Longest time for a whole body, in milliseconds. */
  readonly maxMs: number;
};

/** The pace that a body of catch and publish has to keep. */
export const bodyPace = { stallMs: 9_500, minBytesPerSecond: 1_024, maxMs: 300_000 } as const;

type Reading = {
  readonly startedAtMs: number;
  lastAtMs: number;
  bytes: number;
  readonly stop: () => void;
};

const empty = Buffer.alloc(0);
/**
 * The maximum number of separate chunks. Each one costs about 400 bytes: a million chunks of one
 * byte would be 400 MB.
 */
const maxPieces = 256;

/**
 * Reads complete request bodies up to a limit. Larger ones are rejected, never truncated. One sweep
 * checks all of them, since a timer for each would cost more than reading it.
 */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #now: () => number;
  readonly #readings = new Set<Reading>();
  #heldBytes = 0;

  constructor(limits: BodyLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Reads the body and passes it to `use`. Its memory counts until `use` has settled. */
  async withBody<Value>(
    request: IncomingMessage,
    declared: number,
    use: (read: BodyResult) => Promise<Value>,
  ): Promise<Value> {
    if (declared === 0) return use({ ok: true, body: empty });
    if (declared > this.#limits.maxBytes) return use({ ok: false, reason: "too_large" });
    const held = { bytes: 0 };
    try {
      return await use(await this.#read(request, held));
    } finally {
      this.#heldBytes -= held.bytes;
    }
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  #read(request: IncomingMessage, held: { bytes: number }): Promise<BodyResult> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let joined = 0;
      const startedAtMs = this.#now();
      const finish = (result: BodyResult) => {
        this.#readings.delete(reading);
        request.off("data", onData).off("end", onEnd).off("close", onClose);
        if (!result.ok) chunks.length = 0;
        resolve(result);
      };
      const reading: Reading = {
        startedAtMs,
        lastAtMs: startedAtMs,
        bytes: 0,
        stop: () => finish({ ok: false, reason: "stalled" }),
      };
      const onData = (chunk: Buffer) => {
        reading.bytes += chunk.length;
        reading.lastAtMs = this.#now();
        held.bytes += chunk.length;
        this.#heldBytes += chunk.length;
        const reason = this.#findOverrun(reading.bytes);
        if (reason === null) {
          chunks.push(chunk);
          if (chunks.length - joined < maxPieces) return;
          chunks.push(Buffer.concat(chunks.splice(joined)));
          joined += 1;
          return;
        }
        request.pause();
        finish({ ok: false, reason });
      };
      const onEnd = () => finish({ ok: true, body: join(chunks) });
      const onClose = () => finish({ ok: false, reason: "aborted" });
      this.#readings.add(reading);
      request.on("data", onData).on("end", onEnd).on("close", onClose);
      request.on("error", ignore);
      if (request.destroyed) onClose();
    });
  }

  #findOverrun(bytes: number): "too_large" | "no_room" | null {
    if (bytes > this.#limits.maxBytes) return "too_large";
    return this.#heldBytes > this.#limits.maxHeldBytes ? "no_room" : null;
  }

  /** Aborts stalled and slow requests. Call it about every half second. */
  sweep(): void {
    const nowMs = this.#now();
    const { stallMs, minBytesPerSecond, maxMs } = this.#limits;
    for (const { startedAtMs, lastAtMs, bytes, stop } of this.#readings) {
      const elapsedMs = nowMs - startedAtMs;
      const isTooSlow = elapsedMs > stallMs && bytes < (elapsedMs / 1000) * minBytesPerSecond;
      if (nowMs - lastAtMs >= stallMs || isTooSlow || elapsedMs > maxMs) stop();
    }
  }
}

function join(chunks: readonly Buffer[]): Buffer {
  const [first = empty] = chunks;
  return chunks.length <= 1 ? first : Buffer.concat(chunks);
}

// `close` follows an error and is handled.
function ignore(): void {}

/** The length in Content-Length. NaN for a chunked body. */
export function declaredLength({ headersDistinct }: IncomingMessage): number {
  const length = headersDistinct["content-length"]?.[0];
  if (length !== undefined) return Number(length);
  return headersDistinct["transfer-encoding"] === undefined ? 0 : Number.NaN;
}
