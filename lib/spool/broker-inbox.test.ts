import { EventEmitter } from "node:events";
import type { ConsumeMessage } from "amqplib";
import { beforeEach, expect, test } from "vitest";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { newId } from "#lib/ids.ts";
import { BrokerInbox } from "./broker-inbox.ts";
import type { Linked } from "./broker-link.ts";
import { toRecord } from "./record.ts";
import { newerRecord } from "./testing/newer-record.ts";

const record = toRecord([newDelivery({ id: newId(), accountId: newId() })], 1);

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

beforeEach(async () => {
  channel = new TestChannel();
  inbox = new BrokerInbox({ queue: "q", onArrival: () => {} });
  inbox.connected({ connection: { createChannel: async () => channel } } as unknown as Linked);
  await inbox.read();
});

const read = () => inbox.buffer.map(({ sized }) => (typeof sized === "string" ? sized : "batch"));

test("a damaged message and one of another version end no connection, and are told apart", () => {
  for (const content of [record, Buffer.from("x"), newerRecord(), record]) channel.arrive(content);
  expect(read()).toEqual(["batch", "damaged", "other_version", "batch"]);
});
