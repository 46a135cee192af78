import { expect, test } from "vitest";
import { evaluateSpool } from "./check-spool.ts";

const gb = 1e9;
const roomy = { waitingBytes: 0, setAside: 0, freeBytes: 400 * gb, totalBytes: 500 * gb };

test.each([
  [{}, "ok", "Nothing waits"],
  [{ waitingBytes: 3e6 }, "warning", "3 MB of accepted deliveries wait"],
  [{ waitingBytes: 3.5 * gb }, "error", "3.5 GB of 4.0 GB are in use"],
  [{ freeBytes: 0.4 * gb }, "error", "400 MB are free"],
  [{ setAside: 1 }, "error", "1 delivery of the spool can't be stored."],
  [{ setAside: 12, waitingBytes: 3e6 }, "error", "12 deliveries"],
])("a spool with %j is %s", (change, level, text) => {
  const result = evaluateSpool({ ...roomy, ...change }, 4 * gb, 536_870_912);
  expect(result).toMatchObject({ level, message: expect.stringContaining(text) });
  expect(result.change === null).toBe(level === "ok");
});
