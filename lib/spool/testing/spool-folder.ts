import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { newId } from "#lib/base/ids.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { FileSpool, type FileSpoolOptions } from "../file-spool.ts";
import { toRecord } from "../records/record.ts";
import { testKey, testKeys } from "./test-keys.ts";
import { unsignedRecord } from "./unsigned-record.ts";

const hook = { id: newId(), accountId: newId() };

/** A folder for each test, with the spools that it opens in it. */
export function withSpoolFolder() {
  let folder = "";
  let opened: FileSpool[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "spool-"));
    opened = [];
  });
  afterEach(async () => {
    for (const spool of opened) await spool.close();
    rmSync(folder, { recursive: true });
  });
  const aside = () => readdirSync(join(folder, "set-aside")).sort();
  return {
    path: (...names: readonly string[]) => join(folder, ...names),
    firstFile: () => join(folder, "writer-1", "000000000001.spool"),
    aside,
    readAside: () => aside().map((name) => readFileSync(join(folder, "set-aside", name))),
    async open(options: Partial<FileSpoolOptions> = {}): Promise<FileSpool> {
      const disk = { isLow: () => false, stop: () => {} };
      const usual = { folder, maxBytes: 1e9, disk, now: () => 1_000, keys: testKeys };
      const spool = await FileSpool.open({ ...usual, ...options });
      opened.push(spool);
      return spool;
    },
  };
}

/** Its event id is its name. */
export function makeDelivery(name: string, body: Buffer = Buffer.from(name)): NewDelivery {
  return newDelivery(hook, { eventId: name, body });
}

export function signed(name: string, key = testKey): Buffer {
  return toRecord([makeDelivery(name)], 1, key);
}

export function unsigned(name: string): Buffer {
  return unsignedRecord([makeDelivery(name)]);
}

/** @returns the event ids, in order */
export async function drain(spool: FileSpool): Promise<string[]> {
  const names: string[] = [];
  for (let batches = await spool.oldest(); batches.length > 0; batches = await spool.oldest()) {
    names.push(...batches.flatMap((one) => one.deliveries.map(({ eventId }) => eventId ?? "")));
    await spool.remove(batches.length);
  }
  return names;
}

export function flip(file: Buffer, at: number): Buffer {
  const changed = Buffer.from(file);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
