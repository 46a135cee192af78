import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { UnsignedFiles } from "./records/unsigned-files.ts";
import { drain, flip, makeDelivery, unsigned, withSpoolFolder } from "./testing/spool-folder.ts";
import { unsignedRecord } from "./testing/unsigned-record.ts";

const folder = withSpoolFolder();
const { firstFile, aside } = folder;

async function leave(bytes: Uint8Array): Promise<void> {
  const first = await folder.open();
  await first.append([makeDelivery("x")]);
  await first.close();
  writeFileSync(firstFile(), bytes);
}

test("records of an earlier version are drained if they were there before the first start of this one", async () => {
  await leave(Buffer.concat([unsigned("a"), unsigned("b")]));
  const list = await UnsignedFiles.open(folder.path(), testSealer, true);
  expect(await drain(await folder.open({ unsigned: list }))).toEqual(["a", "b"]);
  expect(aside()).toEqual([]);
});

test("records of an earlier version are set aside if they came later, or if their file has changed since", async () => {
  await leave(unsigned("a"));
  const list = await UnsignedFiles.open(folder.path(), testSealer, true);
  appendFileSync(firstFile(), unsigned("b"));
  writeFileSync(folder.path("writer-1", "000000000002.spool"), unsigned("c"));
  expect(await drain(await folder.open({ unsigned: list }))).toEqual([]);
  expect(aside().length).toBe(3);
});

test.each([
  ["its content", 30, ["b"]],
  // Where it ends is unknown then.
  ["its length", 1, []],
])(
  "records of an earlier version come back behind one with %s changed, but never from within it",
  async (_what, at, names) => {
    const hiding = unsignedRecord([makeDelivery("a", unsigned("hidden"))]);
    await leave(Buffer.concat([flip(hiding, at), unsigned("b")]));
    const list = await UnsignedFiles.open(folder.path(), testSealer, true);
    expect(await drain(await folder.open({ unsigned: list }))).toEqual(names);
  },
);

test("a list that was changed trusts no record of an earlier version", async () => {
  await leave(unsigned("a"));
  await UnsignedFiles.open(folder.path(), testSealer, true);
  const path = folder.path("signed-since");
  writeFileSync(path, flip(readFileSync(path), 60));
  const list = await UnsignedFiles.open(folder.path(), testSealer, true);
  expect(await drain(await folder.open({ unsigned: list }))).toEqual([]);
});

test("messages of an earlier version are trusted for a day, and none if there was no such version", async () => {
  const dayMs = 86_400_000;
  const list = await UnsignedFiles.open(folder.path(), testSealer, true);
  const now = Date.now();
  expect([now, now + dayMs / 2, now + 2 * dayMs].map((at) => list.trustsMessages(at))).toEqual([
    true,
    true,
    false,
  ]);
  rmSync(folder.path("signed-since"));
  const fresh = await UnsignedFiles.open(folder.path(), testSealer, false);
  expect(fresh.trustsMessages(Date.now())).toBe(false);
});
