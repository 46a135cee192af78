import { EventEmitter } from "node:events";
import type { ConfirmChannel } from "amqplib";
import { expect, test } from "vitest";
import { publishAside } from "./broker-queues.ts";

const message = { queue: "q", content: Buffer.from("x"), messageId: "1" };

/** A channel to a broker that has some queues. Without one, it returns a message if it has to. */
class TestChannel extends EventEmitter {
  readonly #queues: readonly string[];

  constructor(queues: readonly string[]) {
    super();
    this.#queues = queues;
  }

  publish(
    _exchange: string,
    routingKey: string,
    _content: Buffer,
    { mandatory = false }: { mandatory?: boolean },
    onConfirm: (error: Error | null) => void,
  ): boolean {
    if (mandatory && !this.#queues.includes(routingKey))
      this.emit("return", { fields: { routingKey }, properties: {} });
    onConfirm(null);
    return true;
  }
}

async function setAside(channel: TestChannel): Promise<void> {
  await publishAside(channel as unknown as ConfirmChannel, message, 60_000);
}

test("a message is set aside only if there is a queue for it, whatever the broker confirms", async () => {
  const gone = new TestChannel(["q"]);
  await expect(setAside(gone)).rejects.toMatchObject({ code: "BROKER_NO_QUEUE" });
  const there = new TestChannel(["q", "q.set-aside"]);
  await setAside(there);
  expect([gone, there].map((channel) => channel.listenerCount("return"))).toEqual([0, 0]);
});
