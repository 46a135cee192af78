import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { FileSpool } from "./file-spool.ts";
import { newerRecord } from "./testing/newer-record.ts";
import { testKeys } from "./testing/test-keys.ts";

const hook = { id: newId(), accountId: newId() };
let folder: string;
let spool: FileSpool;

/** A spool with two files of one delivery each, a and b. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "spool-"));
  const disk = { isLow: () => false, stop: () => {} };
  spool = await FileSpool.open({
    folder,
    maxBytes: 1e9,
    disk,
    now: () => 1,
    maxSegmentBytes: 1,
    keys: testKeys,
  });
  for (const eventId of ["a", "b"]) await spool.append([newDelivery(hook, { eventId })]);
});
afterEach(async () => {
  await spool.close();
  rmSync(folder, { recursive: true });
});

const firstFile = () => join(folder, "writer-1", "000000000001.spool");

async function readOldest(): Promise<readonly unknown[]> {
  const batches = await spool.oldest();
  return batches.flatMap(({ deliveries }) => deliveries.map(({ eventId }) => eventId));
}

test.skipIf(platform() !== "linux")(
  "a file that the disk can't read is set aside, and the next one is drained",
  async () => {
    rmSync(firstFile());
    // Reading it is an input/output error.
    symlinkSync("/proc/self/mem", firstFile());
    expect(await readOldest()).toEqual(["b"]);
    expect(spool.state).toMatchObject({ deliveries: 1, setAside: 1 });
    expect(readdirSync(join(folder, "set-aside")).length).toBe(1);
  },
);

test("a file that someone has deleted keeps nothing else from being drained", async () => {
  rmSync(firstFile());
  expect(await readOldest()).toEqual(["b"]);
  expect(spool.state).toMatchObject({ deliveries: 1, setAside: 0 });
});

test("nor does one that someone deletes while it is drained", async () => {
  expect(await readOldest()).toEqual(["a"]);
  rmSync(firstFile());
  await spool.remove(1);
  expect(await readOldest()).toEqual(["b"]);
});

test("someone who deletes the whole folder of what was set aside stops nothing", async () => {
  rmSync(join(folder, "set-aside"), { recursive: true });
  const [batch] = await spool.oldest();
  for (const delivery of batch?.deliveries ?? []) await spool.setAside(delivery);
  expect(spool.state.setAside).toBe(1);
  rmSync(join(folder, "set-aside"), { recursive: true });
  await spool.refresh();
  expect(spool.state.setAside).toBe(0);
});

test("a file of a newer version says so, and waits for that version with everything behind it", async () => {
  const known = readFileSync(firstFile());
  writeFileSync(firstFile(), Buffer.concat([newerRecord(), known]));
  for (const _ of ["once", "again"])
    await expect(readOldest()).rejects.toMatchObject({ code: "SPOOL_VERSION" });
  expect(spool.state).toMatchObject({ deliveries: 2, setAside: 0 });
  // V8's format is newer, as that of a newer Node.
  writeFileSync(firstFile(), newerRecord(Buffer.from([0xff, 0xfe])));
  await expect(readOldest()).rejects.toMatchObject({ code: "SPOOL_VERSION" });
  writeFileSync(firstFile(), known);
  expect(await readOldest()).toEqual(["a"]);
  await spool.remove(1);
  expect(await readOldest()).toEqual(["b"]);
});

test("one that was set aside is set aside again if a crash brings its file back", async () => {
  const [batch] = await spool.oldest();
  const [delivery] = batch?.deliveries ?? [];
  if (delivery === undefined) throw new Error("It has one");
  expect(spool.isToSetAside(delivery.id)).toBe(false);
  await spool.setAside(delivery);
  expect(spool.isToSetAside(delivery.id)).toBe(true);
  rmSync(join(folder, "set-aside", `${delivery.id}.spool`));
  expect(spool.isToSetAside(delivery.id)).toBe(false);
});
