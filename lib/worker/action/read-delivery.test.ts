import { expect, it } from "vitest";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import { readDelivery } from "./read-delivery.ts";

function delivery(id: string): RunDelivery {
  return {
    id,
    receivedAtMs: 0,
    method: "POST",
    path: "",
    query: "",
    headersJson: '[["Content-Type","application/json"]]',
    contentType: "application/json",
    eventId: null,
    eventType: null,
    isSample: false,
    body: Buffer.from(JSON.stringify({ id })),
  };
}

const hook = { id: "h", name: "A hook", payloadField: null };

it("reads a delivery once for all actions of its hook", async () => {
  const one = delivery("one");
  const first = readDelivery(one);
  const context = await first.readContext(first.view, hook);
  const second = readDelivery(one);
  expect(second.view).toBe(first.view);
  expect(await second.readContext(second.view, { ...hook })).toBe(context);
  expect(context.names.payload).toEqual({ id: "one" });
});

it("never mixes up two deliveries, or two names of a hook", async () => {
  for (const id of ["one", "two", "one"]) {
    const { view, readContext } = readDelivery(delivery(id));
    for (const name of [hook.name, "Another name"]) {
      const { names } = await readContext(view, { ...hook, name });
      expect(names).toMatchObject({ id, hook: { id: "h", name } });
    }
  }
});
