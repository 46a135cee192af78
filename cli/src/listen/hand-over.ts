import type { Frame } from "../../../clients/typescript/src/index.ts";
import { wait } from "../frame/wait.ts";

/** The acknowledgment of a delivery. */
export type Ack = { readonly cursor: string } & (
  | {
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      /** The beginning of the body, of which there are `bodyBytes`. */
      readonly bodyBase64: string;
      readonly bodyBytes: number;
      readonly ms: number;
    }
  /** It was passed over, so nothing responded. */
  | { readonly status?: never; readonly bodyBase64?: never }
);

type HandOverOptions = {
  /** Hands one delivery over. Throws if that isn't possible: nothing else is handed over then. */
  readonly send: (frame: Frame) => Promise<Ack>;
  readonly onDone: (ack: Ack) => void;
  readonly onFailure: (error: unknown) => void;
  /** Deliveries at the same time, in any order. Null: one of each hook, in order. */
  readonly parallel: number | null;
};

/** Hands deliveries over in their order. One that comes again isn't handed over again. */
export class HandOver {
  readonly #options: HandOverOptions;
  /** The deliveries that wait, by hook or all together. */
  readonly #queues = new Map<string, Frame[]>();
  readonly #workers = new Map<string, number>();
  /** The cursors of what waits and of what is handed over now. */
  readonly #open = new Set<string>();
  /** Handed over, and the server doesn't know it yet. */
  readonly #done = new Map<string, Ack>();
  readonly #working = new Set<Promise<void>>();
  #isStopped = false;

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  add(frame: Frame): void {
    if (this.#isStopped || this.#open.has(frame.cursor)) return;
    const done = this.#done.get(frame.cursor);
    if (done === undefined) this.#enter(frame);
    else this.#options.onDone(done);
  }

  /** The server has these, so they can't come again. */
  forget(acks: readonly Ack[]): void {
    for (const { cursor } of acks) this.#done.delete(cursor);
  }

  /** Begins nothing new, and lets what was started end within this time. */
  async finish(ms: number): Promise<void> {
    this.#stop();
    await Promise.race([Promise.all(this.#working), wait(ms, new AbortController().signal)]);
  }

  /** Deliveries that wait come again with the next connection. */
  #stop(): void {
    this.#isStopped = true;
    this.#queues.clear();
  }

  #enter(frame: Frame): void {
    this.#open.add(frame.cursor);
    const { parallel } = this.#options;
    const queue = parallel === null ? frame.hookId : "all";
    const waiting = this.#queues.get(queue) ?? [];
    waiting.push(frame);
    this.#queues.set(queue, waiting);
    if (this.#countWorkers(queue) < (parallel ?? 1)) {
      const work = this.#work(queue).finally(() => this.#working.delete(work));
      this.#working.add(work);
    }
  }

  #countWorkers(queue: string): number {
    return this.#workers.get(queue) ?? 0;
  }

  async #work(queue: string): Promise<void> {
    this.#workers.set(queue, this.#countWorkers(queue) + 1);
    try {
      for (;;) {
        const frame = this.#queues.get(queue)?.shift();
        if (frame === undefined) return;
        const ack = await this.#options.send(frame);
        this.#done.set(ack.cursor, ack);
        this.#open.delete(frame.cursor);
        this.#options.onDone(ack);
      }
    } catch (error) {
      this.#stop();
      this.#options.onFailure(error);
    } finally {
      this.#workers.set(queue, this.#countWorkers(queue) - 1);
    }
  }
}
