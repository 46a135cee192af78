import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { BodyReader } from "./read-body.ts";

const limits = { maxBytes: 10_000_000, maxHeldBytes: 20_000_000, stallMs: 1_000, minBytesPerSecond: 1 };

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a body of a great many small chunks takes hardly more memory than its bytes, and is the same bytes", async () => {
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
  // As an object each they would take 60 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  request.emit("end");
  const read = await reading;
  expect(read.ok && read.body.equals(Buffer.from(Array.from({ length: count }, (_, n) => n % 251)))).toBe(
    true,
  );
});
