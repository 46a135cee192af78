import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addAction, addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { parseEnv } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";
import { FileSpool } from "#lib/spool/file-spool.ts";
import { toRecord } from "#lib/spool/record.ts";
import { visitSetAside } from "#lib/spool/set-aside.ts";
import { newerRecord } from "#lib/spool/testing/newer-record.ts";
import { StartError } from "#server/system/start-error.ts";
import type { CommandInput } from "../frame/command.ts";
import { runSpoolList } from "./run-spool-list.ts";
import { runSpoolRetry } from "./run-spool-retry.ts";
import { runSpoolSetAside } from "./run-spool-set-aside.ts";

const database = withDatabase();
let folder: string;
let spool: FileSpool;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "spool-"));
  const disk = { isLow: () => false, stop: () => {} };
  spool = await FileSpool.open({ folder, maxBytes: 1e9, disk, now: Date.now });
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
    DATABASE_URL: database.url,
    CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
    CATCHMENT_SPOOL_URL: pathToFileURL(folder).href,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { env } = parsed;
  const code = await command({ operands, values, readEnv: () => env, output });
  return { code, lines };
}

const names = () => readdirSync(join(folder, "set-aside")).sort();

test("what was set aside is listed, and stored and run once the reason is gone", async () => {
  const hook = await addHook(database.db);
  await addAction(database.db, hook);
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
      "writer-1-000000000001.damaged: damaged, 1 bytes",
    ],
  ]);
  expect(await readDeliveries(database.db, hook)).toEqual([]);

  const retried = await run(runSpoolRetry);
  expect(retried.code).toBe(1);
  expect(retried.lines[0]).toMatch(/: stored$/);
  expect(retried.lines[1]).toMatch(/: PostgreSQL refuses it \(22021\)$/);
  expect(retried.lines[2]).toMatch(/: can't be read$/);
  expect((await readDeliveries(database.db, hook)).map(({ id }) => id)).toEqual([good.id]);
  expect(await database.db.queuedRun.count({ where: { hookId: hook.id } })).toBe(1);
  expect(names()).toEqual([`${bad.id}.spool`, "writer-1-000000000001.damaged"]);
  // The running process notices.
  await spool.refresh();
  expect(spool.state.setAside).toBe(2);
});

test("one whose statement is canceled, or loses the database, stays, and hides none of the others", async () => {
  const hook = await addHook(database.db);
  await database.db.$executeRawUnsafe(`create function stumble() returns trigger language plpgsql as $$
    begin
      if new.event_type = 'slow' then raise query_canceled; end if;
      if new.event_type = 'lost' then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$`);
  await database.db.$executeRawUnsafe(
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
  const hook = await addHook(database.db);
  const delivery = newDelivery(hook);
  await spool.setAside(delivery);
  await run(runSpoolRetry);
  await spool.setAside(delivery);
  expect((await run(runSpoolRetry)).code).toBe(0);
  expect((await readDeliveries(database.db, hook)).length).toBe(1);
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
  const hook = await addHook(database.db);
  const deliveries = Array.from({ length: 20 }, () => newDelivery(hook));
  for (const delivery of deliveries) await spool.setAside(delivery);
  const runs = await Promise.all([run(runSpoolRetry), run(runSpoolRetry), run(runSpoolList)]);
  expect(runs.slice(0, 2).map(({ code }) => code)).toEqual([0, 0]);
  const stored = (await readDeliveries(database.db, hook)).map(({ id }) => id);
  expect(stored.toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted());
  expect(names()).toEqual([]);
});

test("what another command has removed since isn't visited, and needn't be removed", async () => {
  for (const hook of [1, 2, 3].map(() => ({ id: newId(), accountId: newId() })))
    await spool.setAside(newDelivery(hook));
  const [first = "", second = "", third = ""] = names();
  const visited: string[] = [];
  await visitSetAside({ folder, broker: undefined }, async ({ name }) => {
    visited.push(name);
    for (const gone of [first, second]) rmSync(join(folder, "set-aside", gone), { force: true });
    return true;
  });
  expect([visited, names()]).toEqual([[first, third], []]);
});

test("what a newer version wrote stays for it, and hides none of the others", async () => {
  const hook = await addHook(database.db);
  writeFileSync(join(folder, "set-aside", "00-newer.spool"), newerRecord());
  await spool.setAside(newDelivery(hook));
  const { lines } = await run(runSpoolList, { json: true });
  expect(JSON.parse(lines[0] ?? "").setAside[0]).toMatchObject({ isDamaged: false });
  const retried = await run(runSpoolRetry);
  expect([retried.code, ...retried.lines]).toEqual([
    1,
    expect.stringMatching(
      /^00-newer.spool: of another version of Catchment, \d+ bytes: can't be read$/,
    ),
    expect.stringMatching(/: stored$/),
  ]);
  expect(names()).toEqual(["00-newer.spool"]);
});

test("a file with more than one delivery, which someone put there, isn't removed with the others", async () => {
  const hook = await addHook(database.db);
  const records = [newDelivery(hook), newDelivery(hook)].map((one) => toRecord([one], 1));
  writeFileSync(join(folder, "set-aside", "one.spool"), Buffer.concat(records));
  writeFileSync(
    join(folder, "set-aside", "other.spool"),
    toRecord([newDelivery(hook), newDelivery(hook)], 1),
  );
  expect((await run(runSpoolRetry)).code).toBe(1);
  expect(names()).toEqual(["one.spool", "other.spool"]);
  expect(await readDeliveries(database.db, hook)).toEqual([]);
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
