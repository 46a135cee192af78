import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readTar, TarWriter } from "./tar.ts";

const folder = mkdtempSync(join(tmpdir(), "catchment-tar-"));
afterAll(() => rmSync(folder, { recursive: true }));

const entries = [
  { name: "header.json", bytes: Buffer.from("{}\n") },
  { name: "tables/deliveries/000001.copy.gz", bytes: Buffer.alloc(70_000, 7) },
  { name: "exactly-one-block", bytes: Buffer.alloc(512, 1) },
  { name: "empty", bytes: Buffer.alloc(0) },
];

async function write(path: string): Promise<void> {
  const file = await open(path, "w");
  const archive = new TarWriter(file, new Date("2026-11-24T00:00:00Z"));
  for (const { name, bytes } of entries) await archive.add(name, bytes);
  await archive.end();
  await file.close();
}

async function read(path: string) {
  const file = await open(path, "r");
  try {
    return await Array.fromAsync(readTar(file));
  } finally {
    await file.close();
  }
}

test("an archive is read as it was written, also by the tar of this machine", async () => {
  const path = join(folder, "a.tar");
  await write(path);
  expect((await read(path)).map(({ name, bytes }) => ({ name, bytes }))).toEqual(entries);
  expect(new Set((await read(path)).map(({ digestBefore }) => digestBefore)).size).toBe(4);
  const listed = spawnSync("tar", ["-tf", path], { encoding: "utf8" });
  expect([listed.status, listed.stdout.trim().split("\n")]).toEqual([
    0,
    entries.map(({ name }) => name),
  ]);
  const extracted = spawnSync("tar", ["-xOf", path, "tables/deliveries/000001.copy.gz"]);
  expect(extracted.stdout.equals(entries[1]?.bytes ?? Buffer.alloc(0))).toBe(true);
});

test("an archive that is cut off anywhere, or has a damaged header, is rejected", async () => {
  const whole = join(folder, "b.tar");
  await write(whole);
  const bytes = readFileSync(whole);
  const damaged = join(folder, "c.tar");
  for (let length = 0; length < bytes.length - 1_024; length += 997) {
    writeFileSync(damaged, bytes.subarray(0, length));
    await expect(read(damaged), String(length)).rejects.toThrow("It is cut off.");
  }
  for (let at = 0; at < 345; at += 1) {
    // What follows the checksum's digits isn't part of it.
    if (at === 154 || at === 155) continue;
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(damaged, changed);
    await expect(read(damaged), String(at)).rejects.toThrow();
  }
});
