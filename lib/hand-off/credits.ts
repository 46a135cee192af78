import type { Control, Room } from "./control.ts";

/** The room that a batch takes. */
export class Taken {
  /** Runs by action, by account, and in all. */
  readonly counts = new Map<string, number>();
  /** The actions of each hook that had room at its first delivery. */
  readonly actions = new Map<string, readonly string[]>();

  get targetIds(): readonly string[] {
    return [...this.actions.values()].flat();
  }
}

/** The key of what is counted in all. */
const everything = "";

/**
 * The runs that a catch process may store for a worker. The worker says how much room it has beyond what has
 * arrived, and what hasn't arrived counts here until it says so.
 */
export class Credits {
  readonly #rooms = new Map<string, number>();
  readonly #pending = new Map<string, number>();
  readonly #actionsByHook = new Map<string, Set<string>>();
  /** The room that each frame on its way took, in their order. */
  readonly #sent: Taken[] = [];

  /**
   * Takes one run of each action of a delivery's hook that has room.
   *
   * @returns false if there is none, or if the account, the worker, or one of them has no more
   */
  take(hookId: string, accountId: string, taken: Taken): boolean {
    const actions = taken.actions.get(hookId) ?? this.#listActions(hookId);
    taken.actions.set(hookId, actions);
    const { length: count } = actions;
    if (count === 0 || this.#left(everything) < count || this.#left(accountId) < count)
      return false;
    if (actions.some((action) => this.#left(action) < 1)) return false;
    this.#count(everything, count, taken);
    this.#count(accountId, count, taken);
    for (const action of actions) this.#count(action, 1, taken);
    return true;
  }

  /** Nothing of a batch is sent. */
  giveBack({ counts }: Taken): void {
    for (const [key, count] of counts) {
      const left = (this.#pending.get(key) ?? 0) - count;
      if (left > 0) this.#pending.set(key, left);
      else this.#pending.delete(key);
    }
  }

  /** The runs of a batch are on their way. They stay counted until they have arrived. */
  send(taken: Taken): void {
    this.#sent.push(taken);
  }

  update({ arrived, all, rooms }: Extract<Control, { say: "rooms" }>): void {
    for (const taken of this.#sent.splice(0, arrived)) this.giveBack(taken);
    this.#rooms.set(everything, all);
    for (const room of rooms) this.#set(room);
  }

  #set({ key, room, hookId }: Room): void {
    const actions = hookId === undefined ? undefined : this.#actionsByHook.get(hookId);
    if (room > 0) {
      this.#rooms.set(key, room);
      if (hookId === undefined) return;
      if (actions === undefined) this.#actionsByHook.set(hookId, new Set([key]));
      else actions.add(key);
      return;
    }
    this.#rooms.delete(key);
    actions?.delete(key);
    if (hookId !== undefined && actions?.size === 0) this.#actionsByHook.delete(hookId);
  }

  #listActions(hookId: string): readonly string[] {
    return [...(this.#actionsByHook.get(hookId) ?? [])].filter((action) => this.#left(action) > 0);
  }

  #left(key: string): number {
    return (this.#rooms.get(key) ?? 0) - (this.#pending.get(key) ?? 0);
  }

  #count(key: string, count: number, { counts }: Taken): void {
    this.#pending.set(key, (this.#pending.get(key) ?? 0) + count);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
}
