import type { IncomingMessage } from "node:http";
import { KeyCounts } from "#lib/base/key-counts.ts";
import { BodyReader, type BodyResult, declaredLength } from "#lib/ingress/read-body.ts";
import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";
import type { SlotClient } from "./web-slots.ts";

export type WebBodyLimits = {
  /**
   * After this time, a body has to arrive at 1 KiB per second or faster. Milliseconds, default
   * 9,500.
   */
  readonly stallMs?: number;
  /** The longest time for a whole body. Milliseconds, default 60,000. */
  readonly maxBodyMs?: number;
};

const mebibyte = 1024 * 1024;
const maxSmallBytes = 64 * 1024;
/** The number of bodies that one client may send at a time. */
const share = { small: 256, large: 4 };
const sweepMs = 250;

/**
 * Reads bodies for the web process completely, so that a slow one takes memory here and no slot
 * there. Small bodies have their own memory, so large ones can't block a sign-in.
 */
export class WebBodies {
  readonly #readers: Readonly<Record<keyof typeof share, BodyReader>>;
  readonly #byClient = { small: new KeyCounts(), large: new KeyCounts() };

  constructor({ stallMs = 9_500, maxBodyMs = 60_000 }: WebBodyLimits) {
    const pace = { stallMs, minBytesPerSecond: 1_024, maxMs: maxBodyMs };
    const create = (maxBytes: number, maxHeldBytes: number) =>
      new BodyReader({ maxBytes, maxHeldBytes, ...pace }, Date.now);
    this.#readers = {
      small: create(maxSmallBytes, 64 * mebibyte),
      large: create(maxApiBodyBytes, 128 * mebibyte),
    };
    setInterval(() => {
      this.#readers.small.sweep();
      this.#readers.large.sweep();
    }, sweepMs).unref();
  }

  /** Reads the body and passes it to `use`. Its memory counts until `use` has settled. */
  async withBody(
    request: IncomingMessage,
    { address, isMany }: SlotClient,
    use: (read: BodyResult) => Promise<void>,
  ): Promise<void> {
    const announced = declaredLength(request);
    const size = announced <= maxSmallBytes ? "small" : "large";
    const max = isMany ? Number.POSITIVE_INFINITY : share[size];
    if (!this.#byClient[size].add(address, max)) return use({ ok: false, reason: "no_room" });
    try {
      await this.#readers[size].withBody(request, announced, use);
    } finally {
      this.#byClient[size].remove(address);
    }
  }
}
