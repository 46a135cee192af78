/** The account and action that the work belongs to. */
export type JobOwner = {
  readonly accountId: string;
  /** The account's action that caused the work. Omitted: no action, such as for a preview. */
  readonly actionId?: string | undefined;
};

/**
 * Items take turns by the time that their accounts have used, and within an account by the time
 * that its actions have used (start-time fair queuing: Goyal, Vin, and Cheng 1996). Time counts
 * only against those that wait at the same time: after a pause, everyone starts at the level of the
 * others.
 */
export class FairQueue<Item extends { readonly owner: JobOwner }> {
  readonly #accounts = new Turns();
  readonly #actions = new Map<string, Turns>();
  /** Items by account and action, each in order of arrival. */
  readonly #waiting = new Map<string, Map<string, Item[]>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    const { accountId, actionId = "" } = item.owner;
    const ofAccount = getOrAdd(this.#waiting, accountId, () => new Map<string, Item[]>());
    getOrAdd(ofAccount, actionId, (): Item[] => []).push(item);
    this.#size += 1;
  }

  /** False: the item was no longer waiting. */
  remove(item: Item): boolean {
    const { accountId, actionId = "" } = item.owner;
    const ofAccount = this.#waiting.get(accountId);
    const items = ofAccount?.get(actionId);
    const at = items?.indexOf(item) ?? -1;
    if (ofAccount === undefined || items === undefined || at === -1) return false;
    items.splice(at, 1);
    this.#size -= 1;
    if (items.length === 0) ofAccount.delete(actionId);
    if (ofAccount.size === 0) this.#waiting.delete(accountId);
    return true;
  }

  /** Removes and returns the next item that may start. */
  take(mayStart: (item: Item) => boolean): Item | undefined {
    for (const accountId of this.#accounts.order(this.#waiting.keys())) {
      const ofAccount = this.#waiting.get(accountId) ?? new Map<string, Item[]>();
      const turns = getOrAdd(this.#actions, accountId, () => new Turns());
      for (const actionId of turns.order(ofAccount.keys())) {
        const [item] = ofAccount.get(actionId) ?? [];
        if (item === undefined || !mayStart(item)) continue;
        this.remove(item);
        this.#accounts.begin(accountId);
        turns.begin(actionId);
        return item;
      }
    }
    return undefined;
  }

  /** Charges the time that an item has used, or is expected to use. */
  charge({ accountId, actionId = "" }: JobOwner, ms: number): void {
    this.#accounts.charge(accountId, ms);
    if (this.#actions.size > maxKnownAccounts) this.#actions.clear();
    getOrAdd(this.#actions, accountId, () => new Turns()).charge(actionId, ms);
  }

  all(): Item[] {
    return [...this.#waiting.values()].flatMap((ofAccount) => [...ofAccount.values()].flat());
  }
}

const maxKnownAccounts = 10_000;

/** The used time by key, and the start of the latest turn. */
class Turns {
  readonly #usedMs = new Map<string, number>();
  #clockMs = 0;

  /** The keys that have used the least time come first. */
  order(keys: Iterable<string>): string[] {
    return [...keys].sort((a, b) => this.#startOf(a) - this.#startOf(b));
  }

  begin(key: string): void {
    this.#clockMs = Math.max(this.#clockMs, this.#startOf(key));
    // Keys that aren't ahead of the others would start with them in any case.
    for (const [known, usedMs] of this.#usedMs)
      if (usedMs <= this.#clockMs) this.#usedMs.delete(known);
  }

  charge(key: string, ms: number): void {
    this.#usedMs.set(key, this.#startOf(key) + ms);
  }

  #startOf(key: string): number {
    return Math.max(this.#usedMs.get(key) ?? 0, this.#clockMs);
  }
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
