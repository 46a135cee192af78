import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { BodyReader } from "./read-body.ts";

const limits = {
  maxBytes: 10_000_000,
  maxHeldBytes: 20_000_000,
  stallMs: 1_000,
  minBytesPerSecond: 1,
  maxMs: 60_000,
};

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a body in many small chunks takes little more memory than its bytes, and is read unchanged", async () => {
  const request = new EventEmitter();
  const count = 200_000;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const reading = new BodyReader(limits, Date.now).withBody(
    request as IncomingMessage,
    Number.NaN,
    async (read) => read,
  );
  for (let n = 0; n < count; n += 1) request.emit("data", Buffer.from([n % 251]));
  collectGarbage();
  // As separate objects they would take 60 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  request.emit("end");
  const read = await reading;
  expect(
    read.ok && read.body.equals(Buffer.from(Array.from({ length: count }, (_, n) => n % 251))),
  ).toBe(true);
});

/** A body in transit, sent manually. */
function startBody(reader: BodyReader, announced = Number.NaN) {
  const request = Object.assign(new EventEmitter(), { pause: () => {} });
  const read = reader.withBody(
    request as unknown as IncomingMessage,
    announced,
    async (result) => result,
  );
  return { send: (bytes: number) => request.emit("data", Buffer.alloc(bytes)), request, read };
}

test("stalled and slow bodies are cut off", async () => {
  let nowMs = 0;
  const reader = new BodyReader({ ...limits, minBytesPerSecond: 1_000 }, () => nowMs);
  const still = startBody(reader);
  const dripping = startBody(reader);
  const steady = startBody(reader);
  still.send(1_000_000);
  for (; nowMs < 2_000; nowMs += 100) {
    dripping.send(1);
    steady.send(200);
    reader.sweep();
  }
  expect(await still.read).toEqual({ ok: false, reason: "stalled" });
  expect(await dripping.read).toEqual({ ok: false, reason: "stalled" });
  steady.request.emit("end");
  expect(await steady.read).toMatchObject({ ok: true, body: { length: 4_000 } });
});

test("all bodies share a memory limit, and a finished body frees its share", async () => {
  const reader = new BodyReader({ ...limits, maxHeldBytes: 1_000 }, () => 0);
  const first = startBody(reader);
  first.send(800);
  const second = startBody(reader);
  second.send(300);
  expect(await second.read).toEqual({ ok: false, reason: "no_room" });
  first.request.emit("close");
  expect(await first.read).toEqual({ ok: false, reason: "aborted" });
  const third = startBody(reader);
  third.send(1_000);
  third.request.emit("end");
  expect(await third.read).toMatchObject({ ok: true });
  expect(reader.heldBytes).toBe(0);
});
