import type { Ack } from "./hand-over.ts";

type AcksOptions = {
  /** Posts acknowledgments, or none as a heartbeat. Throws if the server didn't take them. */
  readonly post: (acks: readonly Ack[]) => Promise<void>;
  /** Called when a post failed. Its acknowledgments stay, and go with the next ones. */
  readonly onFailure: (error: unknown) => void;
};

const maxAcks = 64;
/** Bodies of responses, together: a request may have 1 MiB. */
const maxBytes = 512 * 1024;
/** The server takes a program for gone after 30 s. */
const heartbeatMs = 10_000;
const retryMs = 2_000;

/** Posts acknowledgments in the background, several at once under load. */
export class Acks {
  readonly #options: AcksOptions;
  #waiting: Ack[] = [];
  #posting: Promise<void> | null = null;
  #isConnected = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AcksOptions) {
    this.#options = options;
  }

  add(ack: Ack): void {
    this.#waiting.push(ack);
    this.#post();
  }

  /** Posts what waits, and says from now on that this program is there. */
  start(): void {
    this.#isConnected = true;
    this.#post();
  }

  /** Posts nothing until the next start: there is no connection. */
  pause(): void {
    this.#isConnected = false;
    clearTimeout(this.#timer);
  }

  /** Posts what waits, as far as the server takes it. */
  async finish(): Promise<void> {
    this.pause();
    await this.#posting;
    let isTaken = true;
    while (this.#waiting.length > 0 && isTaken) isTaken = await this.#postOnce();
  }

  #post(): void {
    if (!this.#isConnected || this.#posting !== null) return;
    clearTimeout(this.#timer);
    this.#posting = this.#postOnce().then((isTaken) => {
      this.#posting = null;
      if (!this.#isConnected) return;
      if (isTaken && this.#waiting.length > 0) return this.#post();
      this.#timer = setTimeout(() => this.#post(), isTaken ? heartbeatMs : retryMs);
    });
  }

  async #postOnce(): Promise<boolean> {
    const batch = this.#next();
    try {
      await this.#options.post(batch);
      this.#waiting = this.#waiting.slice(batch.length);
      return true;
    } catch (error) {
      this.#options.onFailure(error);
      return false;
    }
  }

  #next(): readonly Ack[] {
    let bytes = 0;
    const batch: Ack[] = [];
    for (const ack of this.#waiting.slice(0, maxAcks)) {
      bytes += ack.bodyBase64?.length ?? 0;
      if (batch.length > 0 && bytes > maxBytes) break;
      batch.push(ack);
    }
    return batch;
  }
}
