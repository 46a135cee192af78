import { EventEmitter } from "node:events";
import type { ConfirmChannel } from "amqplib";
import { beforeEach, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { BrokerOutbox } from "./broker-outbox.ts";
import { toRecord } from "./records/record.ts";
import { type Left, SpoolFullError } from "./spool.ts";
import { testKey } from "./testing/test-keys.ts";

const hook = { id: newId(), accountId: newId() };
const record = toRecord([newDelivery(hook)], 1, testKey);

type Sent = { readonly position: number; readonly replyTo: string; confirm(error?: Error): void };

/** A channel to a broker. The test decides what happens to its messages. */
class TestChannel extends EventEmitter {
  readonly sent: Sent[] = [];

  publish(
    _exchange: string,
    _queue: string,
    _content: Buffer,
    { messageId, replyTo }: { messageId: string; replyTo: string },
    onConfirm: (error: Error | null) => void,
  ): boolean {
    const confirm = (error?: Error) => onConfirm(error ?? null);
    this.sent.push({ position: Number(messageId), replyTo, confirm });
    return true;
  }
}

let faults: number;
let known: number;
let outbox: BrokerOutbox;

beforeEach(() => {
  faults = 0;
  known = 0;
  outbox = open(60_000);
});

function open(confirmMs: number): BrokerOutbox {
  const onFault = () => {
    faults += 1;
  };
  const onKnown = () => {
    known += 1;
  };
  return new BrokerOutbox({ queue: "q", confirmMs, now: () => 7, key: testKey, onFault, onKnown });
}

function connect(
  replyTo = "r",
  before: Left = "nothing",
  hasMessages = before === "something",
): TestChannel {
  const channel = new TestChannel();
  outbox.connected(channel as unknown as ConfirmChannel, replyTo, before, hasMessages);
  return channel;
}

const isEmpty = () => outbox.left === "nothing";

const nack = () => new Error("message nacked");

test("a batch is durable once it is confirmed, and waits until a notice says that it is stored", async () => {
  const channel = connect();
  const publishing = outbox.publish(record, 3, 7);
  channel.sent[0]?.confirm();
  await publishing;
  expect([isEmpty(), outbox.deliveries, outbox.oldestAtMs]).toEqual([false, 3, 7]);
  outbox.drainedUpTo(channel.sent[0]?.position ?? 0);
  expect([isEmpty(), outbox.deliveries, outbox.bytes]).toEqual([true, 0, 0]);
});

test("what wasn't confirmed when the connection was lost is sent again in order, and nothing else is", async () => {
  const first = connect();
  const confirmed = outbox.publish(record, 1, 7);
  first.sent[0]?.confirm();
  await confirmed;
  const [second, third] = [outbox.publish(record, 1, 7), outbox.publish(record, 1, 7)];
  outbox.lost();
  first.sent[1]?.confirm(new Error("channel closed"));
  const next = connect("other");
  expect(next.sent.map(({ position, replyTo }) => [position, replyTo])).toEqual([
    [2, "other"],
    [3, "other"],
    // A marker: the notice of the confirmed one went to the queue of the lost connection.
    [4, "other"],
  ]);
  for (const sent of next.sent) sent.confirm();
  await Promise.all([second, third]);
  outbox.drainedUpTo(4);
  expect(isEmpty()).toBe(true);
});

test("what earlier processes left has to be stored first, which a marker finds out", () => {
  const channel = connect("r", "something");
  expect([isEmpty(), outbox.deliveries, channel.sent.length]).toEqual([false, 0, 1]);
  outbox.drainedUpTo(channel.sent[0]?.position ?? 0);
  expect(isEmpty()).toBe(true);
});

test("what a queue has that doesn't respond is unknown until it does, also over lost connections", () => {
  const first = connect("r", "unknown");
  expect([outbox.left, first.sent.length, known]).toEqual(["unknown", 1, 0]);
  first.sent[0]?.confirm(nack());
  outbox.lost();
  const second = connect();
  expect([outbox.left, faults, known]).toEqual(["unknown", 1, 0]);
  for (let times = 0; times < 2; times += 1) outbox.askAgain();
  const asked = second.sent.at(-1);
  asked?.confirm();
  // It may have what it didn't count, until a notice says that all before the marker is stored.
  expect([outbox.left, known]).toEqual(["something", 1]);
  outbox.drainedUpTo(asked?.position ?? 0);
  expect([outbox.left, known]).toEqual(["nothing", 1]);
});

test("a delivery in a queue that doesn't respond is something that is left", async () => {
  const channel = connect("r", "unknown");
  const publishing = outbox.publish(record, 1, 7);
  expect(outbox.left).toBe("something");
  channel.sent.at(-1)?.confirm();
  await publishing;
  expect([outbox.left, known]).toEqual(["something", 1]);
});

test("while the queue is full, what earlier processes left still comes first", () => {
  outbox = open(0);
  const channel = connect("r", "something");
  channel.sent[0]?.confirm(nack());
  expect([outbox.isFull, isEmpty()]).toEqual([true, false]);
  for (let times = 0; times < 2; times += 1) outbox.askAgain();
  expect(channel.sent.length).toBe(2);
  outbox.drainedUpTo(channel.sent[1]?.position ?? 0);
  expect([outbox.isFull, isEmpty()]).toEqual([false, true]);
});

test("a notice that is lost is asked for again, once for all that waits", async () => {
  const channel = connect();
  const publishing = outbox.publish(record, 1, 7);
  channel.sent[0]?.confirm();
  await publishing;
  for (let times = 0; times < 3; times += 1) outbox.askAgain();
  outbox.drainedUpTo(channel.sent.at(-1)?.position ?? 0);
  expect([channel.sent.length, isEmpty()]).toEqual([3, true]);
});

test("a batch that isn't confirmed in time isn't durable, and the connection is given up", async () => {
  outbox = open(20);
  connect();
  await expect(outbox.publish(record, 1, 7)).rejects.toMatchObject({ code: "BROKER_TIMEOUT" });
  expect([faults, isEmpty()]).toEqual([1, true]);
});

test("without a connection, a batch waits for one as long as its time allows", async () => {
  const waiting = outbox.publish(record, 1, 7);
  connect().sent[0]?.confirm();
  await waiting;
  outbox.lost();
  outbox = open(20);
  await expect(outbox.publish(record, 1, 7)).rejects.toMatchObject({ code: "BROKER_TIMEOUT" });
  expect(faults).toBe(0);
});

test("a batch for which there is no queue isn't durable, although the broker confirms it", async () => {
  const channel = connect();
  const publishing = outbox.publish(record, 1, 7);
  const returned = (routingKey: string) =>
    channel.emit("return", { fields: { routingKey }, properties: { messageId: "1" } });
  returned("q.set-aside");
  returned("q");
  channel.sent[0]?.confirm();
  await expect(publishing).rejects.toMatchObject({ code: "BROKER_NO_QUEUE" });
  expect(faults).toBe(2);
});

test("a batch that the broker closes the channel for isn't sent again", async () => {
  const channel = connect();
  const publishing = outbox.publish(record, 1, 7);
  channel.emit("error", new Error("PRECONDITION_FAILED - message size"));
  await expect(publishing).rejects.toMatchObject({ code: "BROKER_REJECTED" });
  outbox.lost();
  expect(connect().sent).toEqual([]);
});

test("a rejected batch is tried on other connections, and then the queue is full", async () => {
  outbox = open(200);
  const publishing = outbox.publish(record, 1, 7);
  const channel = connect();
  channel.sent[0]?.confirm(nack());
  expect([faults, outbox.isFull]).toEqual([1, false]);
  outbox.lost();
  const other = connect();
  other.sent[0]?.confirm();
  await publishing;
  await expect
    .poll(async () => {
      const one = outbox.publish(record, 1, 7);
      one.catch(() => {});
      other.sent.at(-1)?.confirm(nack());
      return outbox.isFull ? await one.catch((error: unknown) => error) : null;
    })
    .toBeInstanceOf(SpoolFullError);
  // Once something is stored, there is room.
  outbox.drainedUpTo(1);
  expect(outbox.isFull).toBe(false);
});

test("a queue that takes nothing and counts nothing isn't full, so deliveries needn't wait for room", async () => {
  outbox = open(0);
  const channel = connect("r", "unknown");
  const publishing = outbox.publish(record, 1, 7);
  channel.sent.at(-1)?.confirm(nack());
  await expect(publishing).rejects.toMatchObject({ code: "BROKER_REJECTED" });
  expect([outbox.left, outbox.isFull, known]).toEqual(["unknown", true, 0]);
});

test.each(["before", "after"])(
  "a batch that is rejected %s the notice of a later one isn't taken for stored",
  async (when) => {
    const channel = connect();
    const [rejected, later] = [outbox.publish(record, 1, 7), outbox.publish(record, 1, 7)];
    let isDurable = false;
    void rejected.then(() => {
      isDurable = true;
    });
    if (when === "before") channel.sent[0]?.confirm(nack());
    channel.sent[1]?.confirm();
    // What has arrived is still read while the connection is being given up.
    outbox.drainedUpTo(2);
    await later;
    expect([isDurable, outbox.deliveries, isEmpty()]).toEqual([false, 1, false]);
    if (when === "after") channel.sent[0]?.confirm(nack());
    outbox.lost();
    const next = connect("other");
    expect(next.sent[0]?.position).toBe(1);
    for (const sent of next.sent) sent.confirm();
    await rejected;
    expect(outbox.deliveries).toBe(1);
    outbox.drainedUpTo(next.sent.at(-1)?.position ?? 0);
    expect([outbox.deliveries, isEmpty()]).toEqual([0, true]);
  },
);

test("a batch whose notice comes before its confirmation is durable with the confirmation", async () => {
  const channel = connect();
  const publishing = outbox.publish(record, 1, 7);
  outbox.drainedUpTo(1);
  expect([outbox.deliveries, isEmpty()]).toEqual([1, false]);
  channel.sent[0]?.confirm();
  await publishing;
  expect([outbox.deliveries, isEmpty()]).toEqual([0, true]);
});
