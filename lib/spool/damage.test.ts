import { randomBytes } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { toRecord } from "./records/record.ts";
import { deriveRecordKeys } from "./records/record-keys.ts";
import { signAsideAgain } from "./set-aside.ts";
import {
  drain,
  flip,
  makeDelivery,
  signed,
  unsigned,
  withSpoolFolder,
} from "./testing/spool-folder.ts";
import { testKey } from "./testing/test-keys.ts";

const folder = withSpoolFolder();
const { firstFile, aside, readAside } = folder;
const foreignKeys = deriveRecordKeys("the secret of another installation");
const size = signed("a").length;

/** The places of a record, from the first byte of its head to the last of its content. */
const places = [0, 5, 8, 20, 36, 60, 74, size - 1];

type Damage = readonly [
  name: string,
  change: (file: Buffer) => Buffer,
  kept: string[],
  parts: number,
];
const damages: readonly Damage[] = [
  ...places.flatMap((at): Damage[] => [
    [`byte ${at} of the last record`, (file) => flip(file, 3 * size + at), ["a", "b", "c"], 1],
    [`byte ${at} of the first record`, (file) => flip(file, at), ["b", "c", "d"], 1],
    [`byte ${at} of one in the middle`, (file) => flip(file, size + at), ["a", "c", "d"], 1],
  ]),
  ["two in the middle", (file) => flip(flip(file, size + 90), 2 * size + 90), ["a", "d"], 1],
  ["two apart", (file) => flip(flip(file, 90), 2 * size + 90), ["b", "d"], 2],
  ["all but one", (file) => flip(flip(flip(file, 90), size + 90), 3 * size + 90), ["c"], 2],
  ["cut off by a byte", (file) => file.subarray(0, -1), ["a", "b", "c"], 1],
  ["cut off in a head", (file) => file.subarray(0, 3 * size + 12), ["a", "b", "c"], 1],
  ["cut off in the second record", (file) => file.subarray(0, size + 50), ["a"], 1],
  ["zeros at the end", (file) => Buffer.from(file).fill(0, 4 * size - 30), ["a", "b", "c"], 1],
  ["zeros from a head on", (file) => Buffer.from(file).fill(0, 2 * size), ["a", "b"], 1],
  [
    "zeros behind the end",
    (file) => Buffer.concat([file, Buffer.alloc(5_000)]),
    ["a", "b", "c", "d"],
    1,
  ],
  [
    "zeros in the middle",
    (file) => Buffer.from(file).fill(0, size + 5, 2 * size + 5),
    ["a", "d"],
    1,
  ],
  ["only zeros", (file) => Buffer.alloc(file.length), [], 1],
  ["a byte too many", (file) => insert(file, size + 50, Buffer.of(1)), ["a", "c", "d"], 1],
  ["a byte missing", (file) => cut(file, size + 50, 1), ["a", "c", "d"], 1],
  [
    "a page of another file",
    (file) => insert(file, 2 * size, randomBytes(4_096)),
    ["a", "b", "c", "d"],
    1,
  ],
  ["two swapped", (file) => swap(file), ["a", "c", "b", "d"], 0],
  [
    "one twice",
    (file) => insert(file, 2 * size, file.subarray(0, size)),
    ["a", "b", "a", "c", "d"],
    0,
  ],
  [
    "a foreign one",
    (file) => insert(file, size, signed("x", foreignKeys.current)),
    ["a", "b", "c", "d"],
    1,
  ],
  [
    "a foreign one at the end",
    (file) => Buffer.concat([file, signed("x", foreignKeys.current)]),
    ["a", "b", "c", "d"],
    1,
  ],
  ["one without a signature", (file) => insert(file, size, unsigned("x")), ["a", "b", "c", "d"], 1],
  [
    "one without a signature before it",
    (file) => Buffer.concat([unsigned("x"), file]),
    ["a", "b", "c", "d"],
    1,
  ],
  ["one with a forged signature", (file) => insert(file, size, forge()), ["a", "b", "c", "d"], 1],
];

const insert = (file: Buffer, at: number, bytes: Buffer) =>
  Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
const cut = (file: Buffer, at: number, count: number) =>
  Buffer.concat([file.subarray(0, at), file.subarray(at + count)]);
const part = (file: Buffer, number: number) => file.subarray(number * size, (number + 1) * size);
const swap = (file: Buffer) =>
  Buffer.concat([part(file, 0), part(file, 2), part(file, 1), part(file, 3)]);
/** With this server's mark, and a key that isn't its own. */
const forge = () => signed("x", { ...testKey, key: foreignKeys.current.key });

/** A length, a checksum, or the id of the key: the signature says that the rest is right. */
const isHarmless = (name: string) => /^byte (0|5|36) of/.test(name);

describe.each(["by the next process", "by the same process"])("drained %s", (reader) => {
  const isSame = reader === "by the same process";
  test.each(damages.filter(([name]) => !isSame || !name.startsWith("byte")))(
    "with damage (%s), every readable record comes back, and the rest is a file of its own",
    async (name, change, kept, parts) => {
      const first = await folder.open();
      for (const each of ["a", "b", "c", "d"]) await first.append([makeDelivery(each)]);
      const file = readFileSync(firstFile());
      const changed = change(file);
      if (!isSame) await first.close();
      writeFileSync(firstFile(), changed);
      const spool = isSame ? first : await folder.open();
      const drained = await drain(spool);
      if (isHarmless(name)) expect([drained, aside()]).toEqual([["a", "b", "c", "d"], []]);
      else {
        expect(drained).toEqual(kept);
        expect(aside().length).toBe(parts);
        expect(spool.state).toMatchObject({ setAside: parts, asideNames: aside() });
      }
      expect(spool.state).toMatchObject({ deliveries: 0, bytes: 0 });
      expect(readdirSync(folder.path("writer-1"))).toEqual(["lock"]);
      // Nothing is thrown away: every byte was either drained or kept.
      const whole = drained.reduce((sum, each) => sum + signed(each).length, 0);
      const left = readAside().reduce((sum, bytes) => sum + bytes.length, 0);
      expect(whole + left).toBe(changed.length);
    },
  );
});

test("a part that was set aside has the same name if a crash brings its file back", async () => {
  const first = await folder.open();
  for (const each of ["a", "b"]) await first.append([makeDelivery(each)]);
  const changed = flip(readFileSync(firstFile()), 90);
  await first.close();
  for (const _ of ["once", "again"]) {
    writeFileSync(firstFile(), changed);
    const spool = await folder.open();
    expect(await drain(spool)).toEqual(["b"]);
    await spool.close();
  }
  expect(aside()).toEqual([
    expect.stringMatching(/^writer-1-000000000001-at-0-[0-9a-f]{12}\.damaged$/),
  ]);
});

test("what looks like records within a body is never one, with or without a signature", async () => {
  const own = signed("inside");
  const body = Buffer.concat([
    unsigned("y"),
    signed("z", foreignKeys.current),
    forge(),
    own.subarray(20),
  ]);
  const first = await folder.open();
  await first.append([makeDelivery("a", body)]);
  await first.append([makeDelivery("b")]);
  await first.close();
  // Its own length is wrong, and so is its content.
  writeFileSync(firstFile(), flip(flip(readFileSync(firstFile()), 1), 74));
  expect(await drain(await folder.open())).toEqual(["b"]);
});

test("a large record that was cut off costs little, however much of its body looks like records", async () => {
  const first = await folder.open();
  await first.append([makeDelivery("a")]);
  await first.close();
  const random = randomBytes(4 * 1024 * 1024);
  appendFileSync(firstFile(), toRecord([makeDelivery("b", random)], 1, testKey).subarray(0, -1));
  expect(await drain(await folder.open())).toEqual(["a"]);
  expect(aside().length).toBe(1);
});

test("during a rotation of the key, both keys are read, and what is set aside is signed again", async () => {
  const before = await folder.open();
  for (const each of ["a", "b"]) await before.append([makeDelivery(each)]);
  await before.setAside(makeDelivery("c"));
  await before.close();
  const [current, previous] = [foreignKeys.current, [testKey]];
  await signAsideAgain(folder.path(), { current, previous });
  const rotated = await folder.open({ keys: { current, previous } });
  expect(await drain(rotated)).toEqual(["a", "b"]);
  await rotated.close();
  const [name = ""] = aside();
  const path = folder.path("set-aside", name);
  writeFileSync(folder.path("writer-1", "000000000009.spool"), readFileSync(path));
  expect(await drain(await folder.open({ keys: foreignKeys }))).toEqual(["c"]);
});
