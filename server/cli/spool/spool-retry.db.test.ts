import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { parseEnv } from "#lib/core/env/parse-env.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addAction, addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { FileSpool } from "#lib/spool/file-spool.ts";
import { toRecord } from "#lib/spool/records/record.ts";
import { deriveRecordKeys } from "#lib/spool/records/record-keys.ts";
import { visitSetAside } from "#lib/spool/set-aside.ts";
import { newerRecord } from "#lib/spool/testing/newer-record.ts";
import { testKey, testKeys, testSecret } from "#lib/spool/testing/test-keys.ts";
import { unsignedRecord } from "#lib/spool/testing/unsigned-record.ts";
import { StartError } from "#server/system/start-error.ts";
import type { CommandInput } from "../frame/command.ts";
import { runSpoolList } from "./run-spool-list.ts";
import { runSpoolRetry } from "./run-spool-retry.ts";
import { runSpoolSetAside } from "./run-spool-set-aside.ts";

const { db, url } = withDatabase();
let folder: string;
let spool: FileSpool;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "spool-"));
  const disk = { isLow: () => false, stop: () => {} };
  spool = await FileSpool.open({ folder, maxBytes: 1e9, disk, now: Date.now, keys: testKeys });
});
afterEach(async () => {
  await spool.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command as the operator of this installation. */
async function run(
  command: typeof runSpoolList,
  values: CommandInput["values"] = {},
  operands: readonly string[] = [],
) {
  const lines: string[] = [];
  const output = { result: (text: string) => void lines.push(text), note: () => {} };
  const parsed = parseEnv({
    DATABASE_URL: url,
    CATCHMENT_SECRET_KEY: testSecret,
    CATCHMENT_SPOOL_URL: pathToFileURL(folder).href,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { env } = parsed;
  const code = await command({ operands, values, readEnv: () => env, output });
  return { code, lines };
}

const names = () => readdirSync(join(folder, "set-aside")).sort();

test("what was set aside is listed, and stored and run once the reason is gone", async () => {
  const hook = await addHook(db);
  await addAction(db, hook);
  // PostgreSQL has no text with it.
  const [good, bad] = [newDelivery(hook), newDelivery(hook, { eventType: "a\0b" })];
  for (const delivery of [good, bad]) await spool.setAside(delivery);
  writeFileSync(join(folder, "set-aside", "writer-1-000000000001.damaged"), "x");
  const listed = await run(runSpoolList);
  expect([listed.code, listed.lines]).toEqual([
    1,
    [
      expect.stringContaining(`${good.id}: of hook ${hook.id}, received 20`),
      expect.stringContaining(`${bad.id}: of hook ${hook.id}`),
      "writer-1-000000000001.damaged: cut off before its end, 1 bytes",
    ],
  ]);
  expect(await readDeliveries(db, hook)).toEqual([]);

  const retried = await run(runSpoolRetry);
  expect(retried.code).toBe(1);
  expect(retried.lines[0]).toMatch(/: stored$/);
  expect(retried.lines[1]).toMatch(/: PostgreSQL refuses it \(22021\)$/);
  expect(retried.lines[2]).toMatch(/: can't be stored$/);
  expect((await readDeliveries(db, hook)).map(({ id }) => id)).toEqual([good.id]);
  expect(await db.queuedRun.count({ where: { hookId: hook.id } })).toBe(1);
  expect(names()).toEqual([`${bad.id}.spool`, "writer-1-000000000001.damaged"]);
  // The running process notices.
  await spool.refresh();
  expect(spool.state.setAside).toBe(2);
});

test("one whose statement is canceled, or loses the database, stays, and hides none of the others", async () => {
  const hook = await addHook(db);
  await db.$executeRawUnsafe(`create function stumble() returns trigger language plpgsql as $$
    begin
      if new.event_type = 'slow' then raise query_canceled; end if;
      if new.event_type = 'lost' then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$`);
  await db.$executeRawUnsafe(
    "create trigger stumble before insert on deliveries for each row execute function stumble()",
  );
  const types = ["slow", "good", "lost", "good"];
  for (const eventType of types) await spool.setAside(newDelivery(hook, { eventType }));
  const { code, lines } = await run(runSpoolRetry);
  expect([code, ...lines.map((line) => line.replace(/^.* bytes: /, ""))]).toEqual([
    1,
    "PostgreSQL refuses it (57014)",
    "stored",
    "the database is away (57P01)",
    "not tried",
  ]);
  expect(names().length).toBe(3);
});

test("a delivery that is stored already is removed, and isn't stored again", async () => {
  const hook = await addHook(db);
  const delivery = newDelivery(hook);
  await spool.setAside(delivery);
  await run(runSpoolRetry);
  await spool.setAside(delivery);
  expect((await run(runSpoolRetry)).code).toBe(0);
  expect((await readDeliveries(db, hook)).length).toBe(1);
  expect(names()).toEqual([]);
});

test("an empty list is fine, and the JSON has everything that a program needs", async () => {
  expect(await run(runSpoolList)).toEqual({ code: 0, lines: ["Nothing is set aside."] });
  const hook = { id: newId(), accountId: newId() };
  const delivery = newDelivery(hook);
  await spool.setAside(delivery);
  const { lines } = await run(runSpoolList, { json: true });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    setAside: [{ deliveryId: delivery.id, hookId: hook.id, isDamaged: false }],
  });
});

test("two commands at the same time store everything once, and both end well", async () => {
  const hook = await addHook(db);
  const deliveries = Array.from({ length: 20 }, () => newDelivery(hook));
  for (const delivery of deliveries) await spool.setAside(delivery);
  const runs = await Promise.all([run(runSpoolRetry), run(runSpoolRetry), run(runSpoolList)]);
  expect(runs.slice(0, 2).map(({ code }) => code)).toEqual([0, 0]);
  const stored = (await readDeliveries(db, hook)).map(({ id }) => id);
  expect(stored.toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted());
  expect(names()).toEqual([]);
});

test("what another command has removed since isn't visited, and needn't be removed", async () => {
  for (const hook of [1, 2, 3].map(() => ({ id: newId(), accountId: newId() })))
    await spool.setAside(newDelivery(hook));
  const [first = "", second = "", third = ""] = names();
  const visited: string[] = [];
  const access = { keys: testKeys, unsigned: null, trustsAll: false };
  await visitSetAside({ folder, broker: undefined, ...access }, async ({ name }) => {
    visited.push(name);
    for (const gone of [first, second]) rmSync(join(folder, "set-aside", gone), { force: true });
    return true;
  });
  expect([visited, names()]).toEqual([[first, third], []]);
});

test("what a newer version wrote stays for it, and hides none of the others", async () => {
  const hook = await addHook(db);
  writeFileSync(join(folder, "set-aside", "00-newer.spool"), newerRecord());
  await spool.setAside(newDelivery(hook));
  const { lines } = await run(runSpoolList, { json: true });
  expect(JSON.parse(lines[0] ?? "").setAside[0]).toMatchObject({ isDamaged: false });
  const retried = await run(runSpoolRetry);
  expect([retried.code, ...retried.lines]).toEqual([
    1,
    expect.stringMatching(
      /^00-newer.spool: of another version of Catchment, \d+ bytes: can't be stored$/,
    ),
    expect.stringMatching(/: stored$/),
  ]);
  expect(names()).toEqual(["00-newer.spool"]);
});

const spoil = (record: Buffer) => {
  const changed = Buffer.from(record);
  changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
  return changed;
};
const put = (name: string, ...parts: readonly Buffer[]) =>
  writeFileSync(join(folder, "set-aside", name), Buffer.concat(parts));
const foreignKey = deriveRecordKeys("the secret of another installation").current;

test("every readable record of a file is stored, and what isn't readable stays in it", async () => {
  const hook = await addHook(db);
  const [first, second, third] = [newDelivery(hook), newDelivery(hook), newDelivery(hook)];
  const bad = spoil(toRecord([newDelivery(hook)], 1, testKey));
  const foreign = toRecord([newDelivery(hook)], 1, foreignKey);
  put(
    "one.damaged",
    toRecord([first, second], 1, testKey),
    bad,
    toRecord([third], 1, testKey),
    foreign,
  );
  const { code, lines } = await run(runSpoolRetry);
  expect([
    code,
    ...lines.map((line) => line.replace(/.*?: /, "").replace(/\d+ bytes/, "N bytes")),
  ]).toEqual([
    1,
    expect.stringMatching(/: stored$/),
    expect.stringMatching(/: stored$/),
    "damaged, N bytes: can't be stored",
    expect.stringMatching(/: stored$/),
    expect.stringMatching(/^signed with the key [0-9a-f]{12}, which isn't .*: can't be stored$/),
  ]);
  const stored = (await readDeliveries(db, hook)).map(({ id }) => id);
  expect(stored.toSorted()).toEqual([first.id, second.id, third.id].toSorted());
  expect(readFileSync(join(folder, "set-aside", "one.damaged"))).toEqual(
    Buffer.concat([bad, foreign]),
  );
});

test("what no one has signed is stored only if the operator says so, also behind what is damaged", async () => {
  const hook = await addHook(db);
  const [first, second] = [newDelivery(hook), newDelivery(hook)];
  const bad = spoil(unsignedRecord([newDelivery(hook)])).fill(7, 0, 4);
  put("planted.spool", unsignedRecord([first]), bad, unsignedRecord([second]));
  const refused = await run(runSpoolRetry);
  expect([refused.code, refused.lines[0]]).toEqual([
    1,
    expect.stringContaining("without a signature, so anyone may have written it"),
  ]);
  expect(await readDeliveries(db, hook)).toEqual([]);
  const trusted = await run(runSpoolRetry, { unsigned: true });
  expect([trusted.code, trusted.lines.filter((line) => line.endsWith(": stored")).length]).toEqual([
    1, 2,
  ]);
  const stored = (await readDeliveries(db, hook)).map(({ id }) => id);
  expect(stored.toSorted()).toEqual([first.id, second.id].toSorted());
  expect(readFileSync(join(folder, "set-aside", "planted.spool"))).toEqual(bad);
});

test("an operator asks for one delivery, and can ask twice", async () => {
  const id = newId();
  expect(spool.isToSetAside(id)).toBe(false);
  for (const _ of ["once", "again"])
    expect(await run(runSpoolSetAside, {}, [id])).toEqual({
      code: 0,
      lines: [expect.stringContaining(`${id} is set aside the next time`)],
    });
  expect([spool.isToSetAside(id), spool.isToSetAside(newId())]).toEqual([true, false]);
  expect(await run(runSpoolList)).toMatchObject({ lines: ["Nothing is set aside."] });
});

test.each(["../hooks/x", "", "01A21866-E939-7682-A578-E0FFE3A80DE8"])(
  "what isn't the id of a delivery, like %j, is an error in one sentence",
  async (id) => {
    await expect(run(runSpoolSetAside, {}, [id])).rejects.toThrow(StartError);
  },
);
