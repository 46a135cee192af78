import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase, type Database } from "./client.ts";
import { isSealedWith } from "./seal-check.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

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

it("the first key is the database's key, and any other is refused from then on", async () => {
  expect(await isSealedWith(db, "a1")).toBe(true);
  expect(await isSealedWith(db, "a1")).toBe(true);
  expect(await isSealedWith(db, "b2")).toBe(false);
  expect(await isSealedWith(db, "a1")).toBe(true);
});
