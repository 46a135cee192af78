import { setTimeout as delay } from "node:timers/promises";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { Outage } from "#lib/db/problems/outages.ts";
import { drainBatches, reasonOf, type SpoolDatabase } from "./drain-batches.ts";
import { type Spool, SpoolFullError, type SpoolState } from "./spool.ts";

/** The numbers of deliveries that went through the spool since the start. */
type SpoolCounts = { spooled: number; drained: number; setAside: number };

/** A statement that takes longer counts as failed: the provider gets its response from the spool. */
export const slowMs = 200;

const firstPauseMs = 100;
const maxPauseMs = 1_000;

/**
 * Stores batches in the database, or in the spool while the database is away. As long as batches wait,
 * new ones go behind them, so the deliveries of a hook stay in order. The spool is drained in the
 * background.
 */
export class SpoolingStore {
  readonly #spool: Spool;
  readonly #database: SpoolDatabase;
  readonly #notifyOutage: (outage: Outage) => void;
  /** Direct statements whose outcome isn't known yet. Their batches are in the spool too. */
  readonly #late = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();
  #appending = 0;
  #isAway = false;
  /** When it was first away, and when it was back. */
  #outage: { readonly fromMs: number; untilMs: number | null } | null = null;
  /** True while batches wait, or are about to. */
  #isOpen = false;
  #isDraining = false;
  #draining: Promise<void> = Promise.resolve();
  readonly counts: SpoolCounts = { spooled: 0, drained: 0, setAside: 0 };

  /** @param notifyOutage called once what waited through an outage is stored */
  constructor(
    spool: Spool,
    database: SpoolDatabase,
    notifyOutage: (outage: Outage) => void = () => {},
  ) {
    this.#spool = spool;
    this.#notifyOutage = notifyOutage;
    this.#database = database;
    spool.listen(() => this.#wake());
    this.#wake();
  }

  get state(): SpoolState {
    return this.#spool.state;
  }

  /** True from a failure of the database until it stores again. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** True if the spool would take a delivery now. */
  get hasRoom(): boolean {
    return this.#spool.hasRoom;
  }

  /** Stores a batch durably. If it rejects, the provider sends the batch again. */
  async store(deliveries: readonly NewDelivery[]): Promise<readonly StoredDelivery[]> {
    if (this.#isOpen) return await this.#appendIfPossible(deliveries);
    const direct = this.#database.store(deliveries);
    const outcome = await withTimeLimit(toOutcome(direct), slowMs, () => ({
      kind: "slow" as const,
    }));
    if (outcome.kind === "stored") return outcome.stored;
    if (outcome.kind === "failed" && this.#database.isItemFault(outcome.error)) throw outcome.error;
    if (outcome.kind === "slow") this.#waitFor(direct);
    this.#fail();
    const appending = this.#append(deliveries);
    if (!this.#isOpen)
      this.#open({ reason: outcome.kind === "slow" ? "slow" : reasonOf(outcome.error) });
    try {
      return await appending;
    } catch {
      return await direct;
    }
  }

  /** Stops draining. The next start continues it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#draining;
    await this.#spool.close();
  }

  /** A delivery that is stored out of order is better than one that isn't stored. */
  async #appendIfPossible(deliveries: readonly NewDelivery[]): Promise<readonly StoredDelivery[]> {
    try {
      return await this.#append(deliveries);
    } catch (error) {
      // The spool is being drained, so there is room when the provider sends again.
      if (error instanceof SpoolFullError) throw error;
      return await this.#database.store(deliveries);
    }
  }

  async #append(deliveries: readonly NewDelivery[]): Promise<readonly StoredDelivery[]> {
    this.#appending += 1;
    try {
      await this.#spool.append(deliveries);
    } catch (error) {
      logCounted("error", "spool.not_written", { reason: reasonOf(error) });
      throw error;
    } finally {
      this.#appending -= 1;
    }
    this.counts.spooled += deliveries.length;
    return deliveries.map(toSpooled);
  }

  #waitFor(direct: Promise<unknown>): void {
    const late = toOutcome(direct);
    this.#late.add(late);
    void late.then(() => this.#late.delete(late));
  }

  /** An earlier process's batches are stored before new ones. Other processes' batches needn't be. */
  #wake(): void {
    if (!this.#isOpen && this.#spool.left === "something") this.#open({ left: true });
    else if (!this.#spool.isIdle) this.#beginDraining();
  }

  #open(cause: { readonly reason: string } | { readonly left: true }): void {
    const { deliveries, waiting } = this.#spool.state;
    const level = "left" in cause && waiting === 0 ? "info" : "warn";
    log[level]("spool.opened", { ...cause, deliveries });
    this.#isOpen = true;
    this.#beginDraining();
  }

  #beginDraining(): void {
    if (this.#isDraining || this.#stopping.signal.aborted) return;
    this.#isDraining = true;
    this.#draining = this.#drain();
  }

  /** Drains until nothing waits and nothing is being appended. */
  async #drain(): Promise<void> {
    const startedAt = performance.now();
    const before = this.counts.drained;
    const wasOpen = this.#isOpen;
    let pauseMs = firstPauseMs;
    while (!this.#stopping.signal.aborted) {
      try {
        await Promise.all(this.#late);
        const isMore = await this.#drainOnce();
        pauseMs = firstPauseMs;
        if (!isMore && this.#closeIfEmpty() && this.#spool.isIdle) break;
        if (!isMore) await this.#pause(idleMs);
      } catch (error) {
        this.#fail();
        logCounted("warn", "spool.not_drained", { reason: reasonOf(error) });
        await this.#spool.giveBack();
        await this.#pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, maxPauseMs);
      }
    }
    this.#isDraining = false;
    const deliveries = this.counts.drained - before;
    if (this.#outage !== null && !this.#stopping.signal.aborted) {
      const { fromMs, untilMs } = this.#outage;
      this.#outage = null;
      this.#notifyOutage({ fromMs, untilMs: untilMs ?? Date.now(), deliveries });
    }
    if (deliveries === 0 && !wasOpen) return;
    const { deliveries: left } = this.#spool.state;
    const durationMs = Math.round(performance.now() - startedAt);
    log.info("spool.drained", { deliveries, left, durationMs });
  }

  #fail(): void {
    this.#isAway = true;
    this.#outage = { fromMs: this.#outage?.fromMs ?? Date.now(), untilMs: null };
  }

  /** Batches are stored directly from then on. Nothing may await between the check and the change. */
  #closeIfEmpty(): boolean {
    if (this.#appending > 0 || this.#spool.left === "something") return false;
    this.#isOpen = false;
    this.#isAway = false;
    return true;
  }

  /** @returns true if there was anything to drain */
  async #drainOnce(): Promise<boolean> {
    // Nothing is read before the database answers: another process may reach it.
    if (this.#isAway) await this.#database.findStored([]);
    const batches = await this.#spool.oldest();
    if (batches.length === 0) return false;
    const setAside = await drainBatches(batches, this.#spool, this.#database);
    this.#isAway = false;
    if (this.#outage !== null) this.#outage.untilMs ??= Date.now();
    await this.#spool.remove(batches.length);
    this.counts.setAside += setAside;
    this.counts.drained +=
      batches.reduce((sum, batch) => sum + batch.deliveries.length, 0) - setAside;
    return true;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

/** The pause while a batch is still being appended. */
const idleMs = 1;

type Outcome =
  | { readonly kind: "stored"; readonly stored: readonly StoredDelivery[] }
  | { readonly kind: "failed"; readonly error: unknown };

function toOutcome(storing: Promise<readonly StoredDelivery[]>): Promise<Outcome>;
function toOutcome(work: Promise<unknown>): Promise<unknown>;
function toOutcome(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (stored) => ({ kind: "stored", stored }),
    (error: unknown) => ({ kind: "failed", error }),
  );
}

/** A duplicate is recognized only when it is stored. */
function toSpooled({ id, events }: NewDelivery): StoredDelivery {
  const spooled = { id, duplicateOf: null, isSpooled: true };
  return events === undefined ? spooled : { ...spooled, events: events.map(toSpooled) };
}
