import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readBrokerUrl } from "#lib/core/env/broker-url.ts";
import { BrokerError } from "#lib/spool/broker-error.ts";
import { toRecord } from "#lib/spool/records/record.ts";
import { newerRecord } from "#lib/spool/testing/newer-record.ts";
import { testKey, testKeys } from "#lib/spool/testing/test-keys.ts";
import { checkSpool, evaluateBroker, evaluateSpool } from "./check-spool.ts";

const gib = 2 ** 30;
const roomy = {
  ...{ waitingBytes: 0, setAside: 0, isOtherVersion: false },
  ...{ freeBytes: 400 * gib, totalBytes: 500 * gib },
};

test.each([
  [{}, "ok", "Nothing waits"],
  [{ waitingBytes: 3 * 2 ** 20 }, "warning", "3 MiB of accepted deliveries wait"],
  [{ waitingBytes: 3.5 * gib }, "error", "3.5 GiB of 4 GiB are in use"],
  [{ freeBytes: 400 * 2 ** 20 }, "error", "400 MiB are free"],
  [{ setAside: 1 }, "error", "1 delivery of the spool can't be stored."],
  [{ setAside: 12, waitingBytes: 3 * 2 ** 20 }, "error", "12 deliveries"],
  [
    { waitingBytes: 3 * 2 ** 20, isOtherVersion: true, setAside: 1 },
    "error",
    "Another version of Catchment",
  ],
])("a spool with %j is %s", (change, level, text) => {
  const result = evaluateSpool({ ...roomy, ...change }, 4 * gib, 536_870_912);
  expect(result).toMatchObject({ level, message: expect.stringContaining(text) });
  expect(result.change === null).toBe(level === "ok");
});

test("a spool whose oldest file is of a newer version is an error that says to start it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "spool-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "writer-1"));
  const spool = { folder, broker: undefined, maxBytes: 4 * gib };
  const check = async () => (await checkSpool({ spool, minFreeDiskBytes: 0 }, testKeys))[0];
  writeFileSync(join(folder, "writer-1", "000000000002.spool"), newerRecord());
  expect(await check()).toMatchObject({
    level: "error",
    change: expect.stringContaining("Start the version that wrote it"),
  });
  writeFileSync(join(folder, "writer-1", "000000000001.spool"), toRecord([], 1, testKey));
  expect(await check()).toMatchObject({ level: "warning" });
});

const broker = readBrokerUrl("amqps://user:secret@one,two/shop");

test.each([
  [{ ready: 0, consumers: 2, setAside: 0 }, "ok", "one:5671, two:5671 responds"],
  [{ ready: 7, consumers: 1, setAside: 0 }, "warning", "7 batches of accepted deliveries wait"],
  [{ ready: 7, consumers: 1, setAside: 1 }, "error", "1 delivery of the spool can't be stored."],
])("a broker with %j is %s", (counts, level, text) => {
  if (!broker.ok) throw new Error(broker.message);
  const result = evaluateBroker(broker, { ok: true, counts });
  expect(result).toMatchObject({ level, message: expect.stringContaining(text) });
});

test("a broker that can't be used is an error with its reason, without the password", () => {
  if (!broker.ok) throw new Error(broker.message);
  const error = new BrokerError("BROKER_SETUP", "There is no such virtual host");
  const result = evaluateBroker(broker, { ok: false, error });
  expect(result).toMatchObject({ level: "error", message: expect.stringContaining("no such") });
  expect(JSON.stringify(result)).not.toContain("secret");
});
