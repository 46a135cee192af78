import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Prisma } from "#lib/db/generated/client.ts";
import { startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { createDatabase, type Database } from "./client.ts";
import type { DatabaseOptions } from "./prisma-adapter.ts";
import { createSqlDatabase, type SqlDatabase } from "./sql-database.ts";
import { sqlStateOf } from "./sql-state.ts";

let test: TestDatabase;
let sql: SqlDatabase;
let models: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  sql = createSqlDatabase({ url: test.url, poolSize: 2, applicationName: "sql" });
  models = createDatabase({ url: test.url, poolSize: 2, applicationName: "models" });
  await sql.$executeRaw`create table notes (id int primary key, text text not null)`;
});

afterAll(async () => {
  await Promise.all([sql.$disconnect(), models.$disconnect()]);
  await test.drop();
});

describe("statements without Prisma's client", () => {
  it("return the values that Prisma's client returns", async () => {
    const values = Prisma.sql`
      select 1::int as int, 9007199254740993::bigint as bigint, 1.5::float8 as float, true as bool, 'a"b\\c'::text as text,
        null::text as nothing, '{"a":[1,null]}'::json as json, '{"b":2}'::jsonb as jsonb, '\\x00ff'::bytea as bytes,
        '2026-03-01T12:34:56.789Z'::timestamptz as time, '2026-03-01'::date as date,
        '0198c5b0-0000-7000-8000-000000000000'::uuid as uuid, array[1, 2] as ints, array['a', null, ',"'] as texts,
        array[9007199254740993] as bigints, array['{"c":3}']::json[] as jsons,
        array['2026-03-01T12:34:56.789Z'::timestamptz] as times, array['\\x01'::bytea] as bytess`;
    expect(await sql.$queryRaw(values)).toEqual(await models.$queryRaw(values));
  });

  it("accept the parameters that Prisma's client accepts", async () => {
    const ask = (db: Pick<Database, "$queryRaw">) => db.$queryRaw`
      select ${"a'b"}::text as text, ${null}::text as nothing, ${3}::int as int, ${2n ** 60n}::bigint as bigint, ${true}::bool as bool,
        ${new Date(1_772_368_496_789)}::timestamptz as time, ${new Uint8Array([0, 255])}::bytea as bytes,
        ${["x", 'y,"z']}::text[] as texts, ${[1, 2]}::int[] as ints, ${Prisma.sql`${1}::int + ${2}::int`} as nested`;
    const asked = await ask(sql as Database);
    expect(asked).toEqual(await ask(models));
    expect(asked).toMatchObject([
      { text: "a'b", nothing: null, int: 3, bigint: 2n ** 60n, nested: 3 },
    ]);
  });

  it("count the rows that they change", async () => {
    expect(await sql.$executeRaw`insert into notes values (1, ${"one"}), (2, ${"two"})`).toBe(2);
    expect(await sql.$executeRaw`delete from notes where id = ${7}`).toBe(0);
  });

  it("commit a transaction as a whole or not at all", async () => {
    const written = await sql.$transaction(async (tx) => {
      await tx.$executeRaw`insert into notes values (10, 'kept')`;
      return tx.$queryRaw`select text from notes where id = 10`;
    });
    expect(written).toEqual([{ text: "kept" }]);
    const broken = sql.$transaction(async (tx) => {
      await tx.$executeRaw`insert into notes values (11, 'lost')`;
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    expect(await sql.$queryRaw`select id from notes where id in (10, 11)`).toEqual([{ id: 10 }]);
  });

  it("return their connection to the pool after it died in a transaction", async () => {
    for (let round = 0; round < 3; round += 1) {
      const died = sql.$transaction(
        (tx) => tx.$executeRaw`select pg_terminate_backend(pg_backend_pid())`,
      );
      await expect(died).rejects.toThrow();
    }
    expect(await sql.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it("fail with PostgreSQL's own error code", async () => {
    const state = (failed: Promise<unknown>) => failed.then(() => null, sqlStateOf);
    expect(await state(sql.$executeRaw`insert into notes values (20, 'a'), (20, 'b')`)).toBe(
      "23505",
    );
    expect(await state(sql.$queryRaw`select ${"no number"}::int`)).toBe("22P02");
    expect(await state(sql.$queryRaw`select nothing from nowhere`)).toBe("42P01");
  });

  it("reject a value that JavaScript would round", async () => {
    await expect(sql.$queryRaw`select 1.1::numeric as price`).rejects.toThrow(/cast it/);
  });

  it("work after they were disconnected", async () => {
    await sql.$disconnect();
    expect(await sql.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

describe.each<[string, (options: DatabaseOptions) => SqlDatabase]>([
  ["SQL alone", createSqlDatabase],
  ["Prisma's client", createDatabase],
])("after the network hung in a transaction, %s", (_, open) => {
  it("writes what it reports as written", { tags: "variant" }, async () => {
    const network = await startFaultProxy(test.url);
    const db = open({
      url: network.url,
      poolSize: 1,
      applicationName: "stalled",
      statementTimeoutMs: 1_500,
    });
    await sql.$executeRaw`delete from notes`;
    const given = db.$transaction(async (tx) => {
      await tx.$executeRaw`insert into notes values (1, 'in the transaction')`;
      network.setMode("stall");
      await tx.$executeRaw`insert into notes values (2, 'not answered')`;
    });
    await expect(given).rejects.toThrow();
    network.setMode("pass");
    expect(await db.$executeRaw`insert into notes values (3, 'after it')`).toBe(1);
    expect(await sql.$queryRaw`select id from notes`).toEqual([{ id: 3 }]);
    await db.$disconnect();
    await network.close();
  });
});
