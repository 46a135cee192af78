import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";

export type RoomLimits = {
  readonly actionCap: number;
  readonly accountCap: number;
  readonly quickReserve: number;
};

/** The runs in flight, as `InFlightRuns` counts them. */
export type Counts = {
  readonly freeSlots: number;
  readonly freeBytes: number;
  ofAction(targetId: string): { readonly count: number; readonly handedOver: number };
  ofAccount(accountId: string): { readonly count: number; readonly bytes: number };
};

/** The runs that were handed over and wait for a slot, as `WaitingRuns` counts them. */
type WaitingCounts = {
  readonly size: number;
  readonly bytes: number;
  ofAction(targetId: string): number;
  ofAccount(accountId: string): number;
};

type KeyedRoom = { readonly key: string; readonly room: number; readonly hookId?: string };

/** The most that a body of a run that is handed over can have. */
const maxBodyBytes = 64 * 1024;
const maxActions = 1_000;
/** An action that had nothing handed over for this time leaves its slots to the claim. */
const unusedMs = 250;

/** The most runs that wait. Each takes about 2 kB with an ordinary body. */
const maxWaiting = 8_192;
/** An action has at most as many as end in this time. */
const maxWaitSeconds = 3;

type Action = {
  readonly hookId: string;
  readonly accountId: string;
  handedOverAtMs: number;
  /** Calls that have ended since the last refresh, and what that is in a second, smoothed. */
  ended: number;
  endedPerSecond: number;
};

/**
 * How many runs may be handed over: of actions that respond quickly and don't fail, within the same
 * limits as the claim. Both have their part of an action's slots. The claim's is a quarter, and three
 * quarters while it has a backlog and nothing is handed over, so a flood goes back to the hand-off.
 * Beyond the slots, as many may wait in memory as end in three seconds.
 */
export class Rooms {
  readonly #limits: RoomLimits;
  readonly #counts: Counts;
  readonly #waiting: WaitingCounts;
  /** The actions whose calls ended lately, the latest last. */
  readonly #actions = new Map<string, Action>();
  /** The room that the catch processes were last told. */
  readonly #given = new Map<string, { readonly room: number; readonly hookId: string }>();
  readonly #givenToAccounts = new Map<string, number>();
  readonly #changedActions = new Set<string>();
  readonly #changedAccounts = new Set<string>();
  #quick: ReadonlySet<string> = new Set();
  /** The limits of the others, below the usual one while their calls fail. */
  #learned: ReadonlyMap<string, number> = new Map();
  #measuredAtMs = 0;
  #behind: ReadonlySet<string> = new Set();
  #lastHandedOverAtMs = -unusedMs;
  #lastStoredAtMs = -unusedMs;
  /** True if a connection may not know the rooms that others do. */
  #isNewToSome = false;
  /** The number of workers that share the limits. */
  workers = 1;
  /** False: nothing may wait, because a crash couldn't tell what has started. */
  mayWait = true;

  constructor(limits: RoomLimits, counts: Counts, waiting: WaitingCounts) {
    this.#limits = limits;
    this.#counts = counts;
    this.#waiting = waiting;
  }

  /** A call of the action has ended. */
  learn(run: ClaimedRun): void {
    if (run.kind !== "action" || run.breakers.length > 0) return;
    const { targetId, hookId, accountId } = run;
    const known = this.#actions.get(targetId);
    const { handedOverAtMs = -unusedMs, ended = 0, endedPerSecond = 0 } = known ?? {};
    this.#actions.delete(targetId);
    const counted = { handedOverAtMs, ended: ended + 1, endedPerSecond };
    this.#actions.set(targetId, { hookId, accountId, ...counted });
    const [oldest] = this.#actions.keys();
    if (this.#actions.size <= maxActions || oldest === undefined) return;
    this.#actions.delete(oldest);
    this.#changedActions.add(oldest);
  }

  /** Runs have started, or ended. */
  change(runs: readonly { readonly targetId: string; readonly accountId: string }[]): void {
    for (const { targetId, accountId } of runs) {
      this.#changedActions.add(targetId);
      this.#changedAccounts.add(accountId);
    }
  }

  /** True if runs were handed over a moment ago. */
  isBusy(nowMs: number): boolean {
    return nowMs - this.#lastHandedOverAtMs < unusedMs;
  }

  handedOver(runs: readonly { readonly targetId: string }[], nowMs: number): void {
    this.#lastHandedOverAtMs = nowMs;
    for (const { targetId } of runs) {
      const action = this.#actions.get(targetId);
      if (action !== undefined) action.handedOverAtMs = nowMs;
    }
  }

  /** A claim took runs of these actions, so more of them may be waiting. */
  claimed(targetIds: Iterable<string>): void {
    this.#behind = new Set(targetIds);
  }

  /**
   * @param quick the actions that respond quickly and don't fail
   * @param learned the limits of those that fail
   */
  refresh(quick: Iterable<string>, learned: ReadonlyMap<string, number> = new Map()): void {
    this.#quick = new Set(quick);
    this.#learned = learned;
    for (const [targetId, { accountId }] of this.#actions) this.change([{ targetId, accountId }]);
  }

  /** Counts what has ended since the last call, a moment ago. */
  measure(nowMs: number): void {
    const seconds = Math.max(1, nowMs - this.#measuredAtMs) / 1_000;
    this.#measuredAtMs = nowMs;
    for (const action of this.#actions.values()) {
      const perSecond = action.ended / seconds;
      action.endedPerSecond += (perSecond - action.endedPerSecond) / 2;
      action.ended = 0;
    }
  }

  /**
   * How many more runs of an action may start that were handed over: they leave the claim its part only if it may
   * find some.
   */
  toStart({ targetId, accountId }: { targetId: string; accountId: string }, nowMs: number): number {
    const isShared = this.#behind.has(targetId) || nowMs - this.#lastStoredAtMs < unusedMs;
    const ofAction =
      isShared && this.#quick.has(targetId)
        ? this.#roomOfAction(targetId, nowMs)
        : Math.min(this.#limit, this.#learned.get(targetId) ?? this.#limit) -
          this.#counts.ofAction(targetId).count;
    return Math.min(ofAction, this.#roomOfAccount(accountId), this.#counts.freeSlots);
  }

  /** The connections have changed: each has to know every room. */
  startOver(): void {
    this.#isNewToSome = true;
    this.#givenToAccounts.clear();
    for (const targetId of this.#given.keys()) this.#changedActions.add(targetId);
    this.refresh(this.#quick, this.#learned);
  }

  /** Runs were stored that no worker has. */
  onStored(nowMs: number): void {
    this.#lastStoredAtMs = nowMs;
  }

  /**
   * The slots of an action that aren't the claim's: those of runs that were handed over, and while
   * deliveries arrive, all that may be handed over.
   */
  reserved(targetId: string, nowMs: number): number {
    const { handedOver } = this.#counts.ofAction(targetId);
    const isArriving = nowMs - this.#lastStoredAtMs < unusedMs || this.#isUsed(targetId, nowMs);
    return isArriving ? Math.max(this.#shareOf(targetId, nowMs), handedOver) : handedOver;
  }

  /** The rooms that have changed, for each of `links` catch processes. */
  take(links: number, nowMs: number): { readonly all: number; readonly rooms: KeyedRoom[] } {
    const rooms: KeyedRoom[] = [];
    for (const targetId of this.#changedActions) {
      const given = this.#given.get(targetId);
      const hookId = this.#actions.get(targetId)?.hookId ?? given?.hookId;
      const room = this.#roomOfAction(targetId, nowMs) + this.#roomToWait(targetId);
      if (hookId === undefined || (room === (given?.room ?? 0) && !this.#isNewToSome)) continue;
      if (room === 0) this.#given.delete(targetId);
      else this.#given.set(targetId, { room, hookId });
      rooms.push({ key: targetId, hookId, room: Math.floor(room / links) });
    }
    for (const accountId of this.#changedAccounts) {
      const room = this.#roomOfAccount(accountId) + this.#roomOfAccountToWait(accountId);
      if (room === this.#givenToAccounts.get(accountId) && !this.#isNewToSome) continue;
      this.#givenToAccounts.set(accountId, room);
      rooms.push({ key: accountId, room: Math.floor(room / links) });
    }
    this.#isNewToSome = false;
    this.#changedActions.clear();
    this.#changedAccounts.clear();
    return { all: Math.floor(this.#roomOfAll() / links), rooms };
  }

  #isUsed(targetId: string, nowMs: number): boolean {
    if (this.#waiting.ofAction(targetId) > 0) return true;
    const action = this.#actions.get(targetId);
    return action !== undefined && nowMs - action.handedOverAtMs < unusedMs;
  }

  #roomOfAction(targetId: string, nowMs: number): number {
    const { count, handedOver } = this.#counts.ofAction(targetId);
    const share = this.#shareOf(targetId, nowMs);
    return Math.max(0, Math.min(this.#limit - count, share - handedOver));
  }

  /** The most runs of an action that may be in flight because they were handed over. */
  #shareOf(targetId: string, nowMs: number): number {
    if (!this.#quick.has(targetId) || !this.#actions.has(targetId)) return 0;
    const part = this.#behind.has(targetId) && !this.#isUsed(targetId, nowMs) ? 1 / 4 : 3 / 4;
    return Math.floor(this.#limit * part);
  }

  /** This worker's part of the runs of an action. */
  get #limit(): number {
    return Math.floor(this.#limits.actionCap / this.workers);
  }

  /** The claim's limit for actions that respond quickly, with every body as large as it can be. */
  #roomOfAccount(accountId: string): number {
    const { freeSlots, freeBytes } = this.#counts;
    const { count, bytes } = this.#counts.ofAccount(accountId);
    const { accountCap, quickReserve } = this.#limits;
    const cap = Math.floor((accountCap + quickReserve) / this.workers) - count;
    const slots = Math.floor((freeSlots - 2 * count) / 3);
    const bodies = Math.floor((2 * freeBytes - bytes) / 3 / maxBodyBytes);
    return Math.max(0, Math.min(cap, slots, bodies));
  }

  #roomToWait(targetId: string): number {
    const action = this.#actions.get(targetId);
    if (!this.#allWait || action === undefined || !this.#quick.has(targetId)) return 0;
    const depth = Math.floor(Math.min(action.endedPerSecond * maxWaitSeconds, maxWaiting));
    return Math.max(0, depth - this.#waiting.ofAction(targetId));
  }

  /** An account's runs may take as much as they leave free. */
  #roomOfAccountToWait(accountId: string): number {
    if (!this.#allWait) return 0;
    const runs = (maxWaiting - this.#waiting.size - this.#waiting.ofAccount(accountId)) / 2;
    return Math.max(0, Math.floor(Math.min(runs, this.#freeBodies / 2)));
  }

  get #freeBodies(): number {
    return (this.#counts.freeBytes - this.#waiting.bytes) / maxBodyBytes;
  }

  /** Other workers don't know what has started here, so with them nothing waits. */
  get #allWait(): boolean {
    return this.mayWait && this.workers === 1;
  }

  #roomOfAll(): number {
    const toWait = this.#allWait ? maxWaiting - this.#waiting.size : 0;
    const runs = Math.min(this.#counts.freeSlots + toWait, Math.floor(this.#freeBodies));
    return Math.max(0, runs);
  }
}
