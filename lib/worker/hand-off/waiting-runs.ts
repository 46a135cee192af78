import { KeyCounts } from "#lib/base/key-counts.ts";
import type { ClaimedActionRun } from "#lib/db/queue/claimed-run.ts";

type Waiting = { readonly run: ClaimedActionRun; readonly sinceMs: number };

/** The runs that were handed over and wait in memory for a slot, by action, the oldest first. */
export class WaitingRuns {
  readonly #queues = new Map<string, Waiting[]>();
  readonly #byAccount = new KeyCounts();
  readonly #byLease = new KeyCounts();
  #size = 0;
  #bytes = 0;

  get size(): number {
    return this.#size;
  }

  /** The bytes of their bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  get leaseIds(): readonly string[] {
    return this.#byLease.keys;
  }

  ofAction(targetId: string): number {
    return this.#queues.get(targetId)?.length ?? 0;
  }

  ofAccount(accountId: string): number {
    return this.#byAccount.of(accountId);
  }

  /** @param nowMs of any monotonic clock */
  add(runs: readonly ClaimedActionRun[], nowMs: number): void {
    for (const run of runs) {
      const queue = this.#queues.get(run.targetId);
      if (queue === undefined) this.#queues.set(run.targetId, [{ run, sinceMs: nowMs }]);
      else queue.push({ run, sinceMs: nowMs });
      this.#size += 1;
      this.#bytes += run.bodySize;
      this.#byAccount.add(run.accountId);
      this.#byLease.add(run.leaseId);
    }
  }

  /**
   * Takes the runs that may start now, action by action.
   *
   * @param room how many more runs of an action may start. Asked again after `start`
   */
  start(room: (next: ClaimedActionRun) => number, start: (runs: ClaimedActionRun[]) => void): void {
    // Those that come first now come last the next time.
    for (const [targetId, queue] of [...this.#queues]) {
      const [next] = queue;
      const count = next === undefined ? 0 : Math.min(queue.length, room(next.run));
      if (count <= 0) continue;
      const taken = this.#take(targetId, queue, count);
      if (queue.length > 0) {
        this.#queues.delete(targetId);
        this.#queues.set(targetId, queue);
      }
      start(taken);
    }
  }

  /** Takes the runs that have waited since before `untilMs`. */
  takeLate(untilMs: number): ClaimedActionRun[] {
    return [...this.#queues].flatMap(([targetId, queue]) => {
      const later = queue.findIndex(({ sinceMs }) => sinceMs >= untilMs);
      return this.#take(targetId, queue, later === -1 ? queue.length : later);
    });
  }

  takeOfAction(targetId: string): ClaimedActionRun[] {
    const queue = this.#queues.get(targetId) ?? [];
    return this.#take(targetId, queue, queue.length);
  }

  takeOfHook(hookId: string): ClaimedActionRun[] {
    return [...this.#queues].flatMap(([targetId, queue]) =>
      queue[0]?.run.hookId === hookId ? this.#take(targetId, queue, queue.length) : [],
    );
  }

  takeAll(): ClaimedActionRun[] {
    return this.takeLate(Number.POSITIVE_INFINITY);
  }

  list(): ClaimedActionRun[] {
    return [...this.#queues.values()].flatMap((queue) => queue.map(({ run }) => run));
  }

  #take(targetId: string, queue: Waiting[], count: number): ClaimedActionRun[] {
    const runs = queue.splice(0, count).map(({ run }) => run);
    if (queue.length === 0) this.#queues.delete(targetId);
    for (const { accountId, leaseId, bodySize } of runs) {
      this.#size -= 1;
      this.#bytes -= bodySize;
      this.#byAccount.remove(accountId);
      this.#byLease.remove(leaseId);
    }
    return runs;
  }
}
