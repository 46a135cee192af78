import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { isSealedWith } from "./seal-check.ts";

let test: TestDatabase;
let db: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  db = createDatabase({ url: test.url, poolSize: 2, applicationName: "seal-check-test" });
});
afterAll(async () => {
  await db.$disconnect();
  await test.drop();
});

it("the first key becomes the database's key, and any other is rejected", async () => {
  expect(await isSealedWith(db, "a1")).toBe(true);
  expect(await isSealedWith(db, "a1")).toBe(true);
  expect(await isSealedWith(db, "b2")).toBe(false);
  expect(await isSealedWith(db, "a1")).toBe(true);
});
