import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { BrokerError } from "./broker-error.ts";
import type { SpooledBatch } from "./records/record.ts";
import type { Left, Spool } from "./spool.ts";
import { SpoolingStore } from "./spooling-store.ts";

const hook = { id: newId(), accountId: newId() };

/** A queue that several processes share, in memory. */
class SharedSpool implements Spool {
  readonly identity = { spool: newId(), writer: "queue", host: "broker", takenOver: [] };
  readonly queue: { readonly batch: SpooledBatch; readonly isOwn: boolean }[] = [];
  given = 0;
  givenBack = 0;
  isReachable = true;
  isKnown = true;
  hasRoom = true;
  #listener = () => {};

  get state() {
    const deliveries = this.queue.filter(({ isOwn }) => isOwn).length;
    const counts = { deliveries, waiting: this.queue.length, bytes: 0, maxBytes: 1 };
    return { ...counts, oldestAtMs: null, setAside: 0, asideNames: [] };
  }

  get left(): Left {
    if (!this.isKnown) return "unknown";
    return this.state.deliveries === 0 ? "nothing" : "something";
  }

  get isIdle() {
    return this.queue.length === 0;
  }

  listen(listener: () => void) {
    this.#listener = listener;
  }

  async append(deliveries: readonly NewDelivery[]) {
    if (!this.isReachable) throw new BrokerError("BROKER_AWAY", "away");
    this.queue.push({ batch: { atMs: Date.now(), deliveries }, isOwn: true });
  }

  /** Adds a batch as another process would. */
  arrive(deliveries: readonly NewDelivery[]) {
    this.queue.push({ batch: { atMs: Date.now(), deliveries }, isOwn: false });
    this.#listener();
  }

  /** Has a batch of an earlier process, and says so. */
  recover(deliveries: readonly NewDelivery[]) {
    this.isKnown = true;
    this.queue.push({ batch: { atMs: Date.now(), deliveries }, isOwn: true });
    this.#listener();
  }

  async oldest() {
    return this.queue.map(({ batch }) => batch);
  }

  async remove(count: number) {
    this.queue.splice(0, count);
  }

  isToSetAside() {
    return false;
  }

  async setAside() {}

  async giveBack() {
    this.givenBack += 1;
  }

  async refresh() {}
  async close() {}
}

let spool: SharedSpool;
let store: SpoolingStore;
let stored: string[];
let isDown: boolean;

beforeEach(() => {
  spool = new SharedSpool();
  stored = [];
  isDown = false;
  store = new SpoolingStore(spool, {
    async store(deliveries) {
      if (isDown) throw new Error("down");
      stored.push(...deliveries.map(({ id }) => id));
      return deliveries.map(({ id }) => ({ id, duplicateOf: null }));
    },
    async findStored(deliveries) {
      if (isDown) throw new Error("down");
      return new Set(deliveries.map(({ id }) => id).filter((id) => stored.includes(id)));
    },
    recordResponseTimes: async () => {},
    isItemFault: () => false,
  });
});
afterEach(async () => {
  isDown = false;
  await store.stop();
});

const make = () => newDelivery(hook);
const untilStored = (...deliveries: NewDelivery[]) =>
  expect.poll(() => stored).toEqual(deliveries.map(({ id }) => id));

test("what other processes have put in is drained, and what this one accepts doesn't go behind it", async () => {
  const other = make();
  spool.arrive([other]);
  const own = make();
  expect(await store.store([own])).toEqual([{ id: own.id, duplicateOf: null }]);
  await expect.poll(() => spool.queue).toEqual([]);
  expect([...stored].sort()).toEqual([other.id, own.id].sort());
  expect(store.counts).toMatchObject({ spooled: 0, drained: 1 });
});

test("a process that can't reach the database gives back what it has read, and takes it again", async () => {
  isDown = true;
  const other = make();
  spool.arrive([other]);
  await expect.poll(() => spool.givenBack).toBeGreaterThan(1);
  expect(stored).toEqual([]);
  isDown = false;
  await untilStored(other);
});

test("a message that is in the queue twice is stored once", async () => {
  isDown = true;
  const other = make();
  spool.arrive([other]);
  spool.arrive([other]);
  isDown = false;
  await untilStored(other);
});

test("while the queue can't be reached, the database is asked, although something waits", async () => {
  isDown = true;
  await store.store([make()]);
  spool.isReachable = false;
  await expect(store.store([make()])).rejects.toThrow("down");
  // Only what waits has to be stored by the drain.
  const last = make();
  isDown = false;
  expect(await store.store([last])).toEqual([{ id: last.id, duplicateOf: null }]);
});

test("while a queue doesn't say what it has, deliveries are stored, and go behind it once it does", async () => {
  spool.isKnown = false;
  const [first, left, next] = [make(), make(), make()];
  expect(await store.store([first])).toEqual([{ id: first.id, duplicateOf: null }]);
  isDown = true;
  spool.recover([left]);
  expect(await store.store([next])).toMatchObject([{ id: next.id, isSpooled: true }]);
  isDown = false;
  await untilStored(first, left, next);
});
