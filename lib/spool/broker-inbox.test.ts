import { EventEmitter } from "node:events";
import type { ConsumeMessage } from "amqplib";
import { beforeEach, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { BrokerInbox } from "./broker-inbox.ts";
import type { Linked } from "./broker-link.ts";
import type { ReadRules } from "./records/find-frames.ts";
import { toRecord } from "./records/record.ts";
import { deriveRecordKeys } from "./records/record-keys.ts";
import { newerRecord } from "./testing/newer-record.ts";
import { testKey, testKeys } from "./testing/test-keys.ts";
import { unsignedRecord } from "./testing/unsigned-record.ts";

const record = toRecord([newDelivery({ id: newId(), accountId: newId() })], 1, testKey);

/** A channel to a broker. The test says what arrives. */
class TestChannel extends EventEmitter {
  /** Throws what the client would get. It ends the connection then, with everything on it. */
  arrive: (content: Buffer) => void = () => {};

  async prefetch(): Promise<void> {}

  async consume(_queue: string, onMessage: (message: ConsumeMessage) => void): Promise<void> {
    this.arrive = (content) => onMessage({ content, fields: {}, properties: {} } as ConsumeMessage);
  }
}

let channel: TestChannel;
let inbox: BrokerInbox;
let rules: ReadRules;

beforeEach(async () => {
  channel = new TestChannel();
  rules = { keys: testKeys, unsigned: "never" };
  inbox = new BrokerInbox({ queue: "q", readRules: () => rules, onArrival: () => {} });
  inbox.connected({ connection: { createChannel: async () => channel } } as unknown as Linked);
  await inbox.read();
});

const read = () =>
  inbox.buffer.map(({ sized }) => {
    if (typeof sized === "string") return sized;
    return "fault" in sized ? sized.fault : "batch";
  });

test("a damaged message and one of another version end no connection, and are told apart", () => {
  for (const content of [record, Buffer.from("x"), newerRecord(), record]) channel.arrive(content);
  expect(read()).toEqual(["batch", "cut_off", "other_version", "batch"]);
});

test("a message is a batch only if this server has signed it, all of it", () => {
  const foreign = toRecord([], 1, deriveRecordKeys("the secret of another installation").current);
  const changed = Buffer.from(record);
  changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
  const two = Buffer.concat([record, record]);
  for (const content of [unsignedRecord([]), foreign, changed, two, record.subarray(0, -1)])
    channel.arrive(content);
  expect(read()).toEqual(["unsigned", "unknown_key", "damaged", "damaged", "cut_off"]);
});

test("a message that an earlier version left is a batch for as long as those are trusted", () => {
  const unsigned = unsignedRecord([newDelivery({ id: newId(), accountId: newId() })]);
  rules = { keys: testKeys, unsigned: "in_place" };
  channel.arrive(unsigned);
  rules = { keys: testKeys, unsigned: "never" };
  channel.arrive(unsigned);
  expect(read()).toEqual(["batch", "unsigned"]);
});
