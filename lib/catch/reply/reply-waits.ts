import { toError } from "#lib/base/errors.ts";
import { KeyCounts } from "#lib/base/key-counts.ts";
import { log } from "#lib/base/log.ts";

/** What the provider gets. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** The end of a wait: a reply, or that there won't be one. */
export type FoundReply = { readonly deliveryId: string; readonly end: WaitEnd };

/** Who replies: the hook's action, or a listener that answers. */
export type Replier = "action" | "listener";

export type WaitEnd =
  /** Null: what there is can't be passed on. */
  | { readonly kind: "reply"; readonly reply: Reply | null }
  | { readonly kind: "timeout" | "busy" | "closed" | "stopping" };

export type WaitLimits = {
  /** The maximum number of waiting requests, in this process and in one account. */
  readonly maxWaiting: number;
  readonly maxAccountWaiting: number;
  /** The interval at which replies are looked up without a notification. */
  readonly pollMs: number;
};

type Wait = {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly replier: Replier;
  readonly resolve: (end: WaitEnd) => void;
  readonly timer: NodeJS.Timeout;
};

type Read = (replier: Replier, deliveryIds: readonly string[]) => Promise<readonly FoundReply[]>;

/**
 * Requests of providers that wait for the reply of a run or of a listener. A wait is an entry in a map and a timer:
 * it holds no connection of the database. Replies are read in batches when who stored them posts a
 * notification, and every `pollMs` in case a notification was lost.
 */
export class ReplyWaits {
  readonly #read: Read;
  readonly #limits: WaitLimits;
  readonly #waits = new Map<string, Wait>();
  readonly #accounts = new KeyCounts();
  /** The deliveries whose replies have to be looked up. */
  #due = new Set<string>();
  /** The deliveries whose notification came before their request waited, oldest first. */
  readonly #early = new Set<string>();
  #isReading = false;
  #isClosed = false;
  #poll: NodeJS.Timeout | undefined;

  constructor(read: Read, limits: Partial<WaitLimits> = {}) {
    this.#read = read;
    this.#limits = { ...defaultLimits, ...limits };
  }

  get size(): number {
    return this.#waits.size;
  }

  /**
   * Waits for a reply for at most `maxMs`. Never rejects.
   *
   * @param onStarted gets a function that ends the wait early if the provider disconnects
   */
  wait(
    { deliveryId, accountId, replier }: Pick<Wait, "deliveryId" | "accountId" | "replier">,
    maxMs: number,
    onStarted: (cancel: () => void) => void = () => {},
  ): Promise<WaitEnd> {
    if (this.#isClosed) return Promise.resolve({ kind: "stopping" });
    const { maxWaiting, maxAccountWaiting } = this.#limits;
    // Two for one delivery: a provider that repeats it while its program is asked again.
    const isFull = this.#waits.size >= maxWaiting || this.#waits.has(deliveryId);
    if (isFull || !this.#accounts.add(accountId, maxAccountWaiting))
      return Promise.resolve({ kind: "busy" });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#endWait(deliveryId, { kind: "timeout" }), maxMs);
      this.#waits.set(deliveryId, { deliveryId, accountId, replier, resolve, timer });
      onStarted(() => this.#endWait(deliveryId, { kind: "closed" }));
      this.#poll ??= setInterval(() => this.#lookUp(this.#waits.keys()), this.#limits.pollMs);
      if (this.#early.delete(deliveryId)) this.#lookUp([deliveryId]);
    });
  }

  /** Called when replies to these deliveries are stored. Most are for other processes. */
  notify(deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) {
      if (this.#waits.has(id)) continue;
      this.#early.add(id);
      const [oldest] = this.#early;
      if (this.#early.size > maxEarly && oldest !== undefined) this.#early.delete(oldest);
    }
    this.#lookUp(deliveryIds.filter((id) => this.#waits.has(id)));
  }

  /** Ends all waits, and every later one at once. */
  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#waits.keys()]) this.#endWait(id, { kind: "stopping" });
  }

  #lookUp(ids: Iterable<string>): void {
    for (const id of ids) this.#due.add(id);
    if (!this.#isReading && this.#due.size > 0) void this.#readDue();
  }

  async #readDue(): Promise<void> {
    this.#isReading = true;
    while (this.#due.size > 0) {
      const ids = [...this.#due].filter((id) => this.#waits.has(id));
      this.#due = new Set(ids.slice(maxRead));
      try {
        for (const { deliveryId, end } of await this.#readAll(ids.slice(0, maxRead)))
          this.#endWait(deliveryId, end);
      } catch (error) {
        // The database is unavailable. The next poll tries again, until each has waited long enough.
        log.warn("replies.not_read", { error: toError(error) });
        this.#due.clear();
      }
    }
    this.#isReading = false;
  }

  async #readAll(ids: readonly string[]): Promise<readonly FoundReply[]> {
    const of = (replier: Replier) => ids.filter((id) => this.#waits.get(id)?.replier === replier);
    const read = async (replier: Replier) => {
      const wanted = of(replier);
      return wanted.length === 0 ? [] : await this.#read(replier, wanted);
    };
    return [...(await read("action")), ...(await read("listener"))];
  }

  #endWait(deliveryId: string, end: WaitEnd): void {
    const wait = this.#waits.get(deliveryId);
    if (wait === undefined) return;
    this.#waits.delete(deliveryId);
    this.#accounts.remove(wait.accountId);
    clearTimeout(wait.timer);
    if (this.#waits.size === 0) {
      clearInterval(this.#poll);
      this.#poll = undefined;
    }
    wait.resolve(end);
  }
}

const defaultLimits: WaitLimits = { maxWaiting: 2_000, maxAccountWaiting: 1_000, pollMs: 1_000 };
const maxEarly = 1_000;
/** The maximum number of replies read in one statement: a reply has up to 64 KiB. */
const maxRead = 200;
