import { expect, it } from "vitest";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { hasMask, maskDatabase } from "./masked-database.ts";

const database = withDatabase();
const body = JSON.stringify({ data: { email: "jo@example.com", id: 1 } });
const read = (db: { $queryRaw: (typeof database)["db"]["$queryRaw"] }) =>
  db.$queryRaw<{ body: Uint8Array; hidden: Uint8Array }[]>`
    select convert_to(${body}, 'UTF8') as body, convert_to(${body}, 'UTF8') as hidden`;
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

it("masks rows of statements, also in transactions, and bytes under any name", async () => {
  const masked = maskDatabase(database.db, ["**.email"]);
  const expected = '{"data":{"email":"••••","id":1}}';
  const [own] = await read(masked);
  expect([text(own?.body), text(own?.hidden)]).toEqual([expected, expected]);
  const inside = await masked.$transaction(async (tx) => {
    expect(hasMask(tx)).toBe(true);
    return await read(tx);
  });
  expect(text(inside[0]?.body)).toBe(expected);
  const [whole] = await read(database.db);
  expect(text(whole?.body)).toBe(body);
});

it("runs no statement that compares payloads", async () => {
  const masked = maskDatabase(database.db, ["**.email"]);
  const find = masked.$queryRaw`select 1 from deliveries where payload_value(body, array['a']) = 'b'`;
  await expect(find).rejects.toThrow("compares payloads");
});

it("is the database as it is without masked fields", () => {
  expect(maskDatabase(database.db, [])).toBe(database.db);
  expect(hasMask(database.db)).toBe(false);
});
