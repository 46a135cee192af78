import {
  closeSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { FileSpool, type FileSpoolOptions } from "./file-spool.ts";
import { toRecord } from "./records/record.ts";
import { SpoolFullError } from "./spool.ts";
import { testKey, testKeys } from "./testing/test-keys.ts";

const hook = { id: newId(), accountId: newId() };
let folder: string;
let opened: FileSpool[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spool-"));
  opened = [];
});
afterEach(async () => {
  for (const spool of opened) await spool.close();
  rmSync(folder, { recursive: true });
});

async function openSpool(options: Partial<FileSpoolOptions> = {}): Promise<FileSpool> {
  const usual = { folder, maxBytes: 1e9, disk: disk(false), now: () => 1_000, keys: testKeys };
  const spool = await FileSpool.open({ ...usual, ...options });
  opened.push(spool);
  return spool;
}

function disk(isLow: boolean) {
  return { isLow: () => isLow, stop: () => {} };
}

const recordBytes = toRecord(makeBatch("a"), 1, testKey).length;

function makeBatch(...names: string[]) {
  return names.map((name) => newDelivery(hook, { eventId: name, body: Buffer.from(name) }));
}

async function drain(spool: FileSpool): Promise<string[]> {
  const ids: string[] = [];
  for (let batches = await spool.oldest(); batches.length > 0; batches = await spool.oldest()) {
    ids.push(...batches.flatMap((one) => one.deliveries.map(({ eventId }) => eventId ?? "")));
    await spool.remove(batches.length);
  }
  return ids;
}

/** The files with records of the first writer. */
function listFiles(): string[] {
  const writer = join(folder, "writer-1");
  const names = readdirSync(writer).filter((name) => name.endsWith(".spool"));
  return names.map((name) => join(writer, name));
}

test("batches come out in the order in which they went in, and leave no file behind", async () => {
  const spool = await openSpool({ maxSegmentBytes: 500 });
  for (const name of ["a", "b", "c", "d"]) await spool.append(makeBatch(name, `${name}2`));
  expect(spool.state).toMatchObject({ deliveries: 8, oldestAtMs: 1_000 });
  expect(listFiles().length).toBeGreaterThan(2);
  expect(await drain(spool)).toEqual(["a", "a2", "b", "b2", "c", "c2", "d", "d2"]);
  expect(spool.state).toMatchObject({ deliveries: 0, bytes: 0, oldestAtMs: null });
  expect(listFiles()).toEqual([]);
});

test("a delivery comes out as it went in, with the events of a batch and what it publishes", async () => {
  const bytes = Buffer.from([0, 255, 10, 195]);
  const published = { id: newId(), type: "a.b", recipient: null, warning: null, body: "{}" };
  const event = newDelivery(hook, { keyHash: Buffer.alloc(32, 7), withinSeconds: 5 });
  const batch = newDelivery(hook, { status: "batch", events: [event], body: bytes });
  const spool = await openSpool();
  await spool.append([batch, newDelivery(hook, { published })]);
  const [found] = await spool.oldest();
  expect(found?.deliveries[0]).toEqual(batch);
  expect(found?.deliveries[1]).toMatchObject({ published });
});

test("a batch is acknowledged only once its bytes are on the disk", async () => {
  const probe = await open(join(folder, "probe"), "w");
  const prototype: Pick<FileHandle, "datasync"> = Object.getPrototypeOf(probe);
  await probe.close();
  const gate = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  const datasync = vi.spyOn(prototype, "datasync").mockImplementation(() => {
    called.resolve();
    return gate.promise;
  });
  onTestFinished(() => datasync.mockRestore());
  const spool = await openSpool();
  let isAcknowledged = false;
  const appending = spool.append(makeBatch("a")).then(() => {
    isAcknowledged = true;
  });
  await called.promise;
  // Written, but the disk has not said that it has it.
  expect(statSync(listFiles()[0] ?? "").size).toBe(recordBytes);
  expect([isAcknowledged, spool.state.deliveries]).toEqual([false, 0]);
  gate.resolve();
  await appending;
  expect(spool.state.deliveries).toBe(1);
});

test("a batch that the disk doesn't take isn't acknowledged, and isn't drained either", async () => {
  const probe = await open(join(folder, "probe"), "w");
  const prototype: Pick<FileHandle, "datasync"> = Object.getPrototypeOf(probe);
  await probe.close();
  const spool = await openSpool();
  await spool.append(makeBatch("a"));
  const datasync = vi.spyOn(prototype, "datasync").mockRejectedValueOnce(new Error("EIO"));
  onTestFinished(() => datasync.mockRestore());
  await expect(spool.append(makeBatch("b"))).rejects.toThrow("EIO");
  await spool.append(makeBatch("c"));
  expect(await drain(spool)).toEqual(["a", "c"]);
});

test("what was acknowledged is there after the process died, and what was removed isn't", async () => {
  const dead = await openSpool({ maxSegmentBytes: 2 * recordBytes });
  for (const name of ["a", "b", "c", "d", "e"]) await dead.append(makeBatch(name));
  await dead.remove((await dead.oldest()).length);
  // Only the locks go, as with the process.
  await dead.close();
  const next = await openSpool({ now: () => 2_000 });
  // However much it is, nothing is read before its turn: until then, a file counts as one delivery.
  const left = { bytes: 3 * recordBytes, oldestAtMs: 1_000 };
  expect(next.state).toMatchObject({ ...left, deliveries: 2 });
  await next.append(makeBatch("f"));
  expect(await drain(next)).toEqual(["c", "d", "e", "f"]);
});

test("a file that can't be closed is drained all the same", async () => {
  const spool = await openSpool();
  await spool.append(makeBatch("a"));
  const [file] = listFiles();
  const isOpen = (fd: string) =>
    existsSync(`/proc/self/fd/${fd}`) && readlinkSync(`/proc/self/fd/${fd}`) === file;
  closeSync(Number(readdirSync("/proc/self/fd").find(isOpen)));
  await expect(drain(spool)).rejects.toThrow("EBADF");
  expect([await drain(spool), spool.left]).toEqual([["a"], "nothing"]);
});

test("full, it takes nothing more, until there is room again", async () => {
  const spool = await openSpool({ maxBytes: 2 * recordBytes });
  await spool.append(makeBatch("a"));
  await spool.append(makeBatch("b"));
  await expect(spool.append(makeBatch("c"))).rejects.toThrow(SpoolFullError);
  expect(await drain(spool)).toEqual(["a", "b"]);
  await spool.append(makeBatch("c"));
  expect(await drain(spool)).toEqual(["c"]);
});

test("while its disk is nearly full, it takes nothing", async () => {
  const spool = await openSpool({ disk: disk(true) });
  expect(spool.hasRoom).toBe(false);
  await expect(spool.append(makeBatch("a"))).rejects.toThrow(SpoolFullError);
  expect(listFiles()).toEqual([]);
});

test("the folder has one id, also if several processes make it", async () => {
  const spools = await Promise.all([openSpool(), openSpool(), openSpool()]);
  const ids = new Set(spools.map(({ identity }) => identity.spool));
  const writers = new Set(spools.map(({ identity }) => identity.writer));
  expect([ids.size, writers.size]).toEqual([1, 3]);
});

test("two processes write apart, and the files of a dead one are taken over", async () => {
  const one = await openSpool();
  const other = await openSpool();
  await one.append(makeBatch("a"));
  await other.append(makeBatch("b"));
  await other.close();
  const third = await openSpool();
  await third.append(makeBatch("c"));
  expect([await drain(one), await drain(third)]).toEqual([["a"], ["b", "c"]]);
});

test("a delivery that is set aside twice is there once, and goes back with its file", async () => {
  const spool = await openSpool();
  const [delivery] = makeBatch("a");
  if (delivery === undefined) throw new Error("It has one");
  await spool.setAside(delivery);
  await spool.setAside(delivery);
  expect(spool.state).toMatchObject({ setAside: 1, deliveries: 0 });
  await spool.close();
  const name = `${delivery.id}.spool`;
  renameSync(join(folder, "set-aside", name), join(folder, "writer-1", name));
  const next = await openSpool();
  expect(next.state.setAside).toBe(0);
  expect(await drain(next)).toEqual(["a"]);
});
