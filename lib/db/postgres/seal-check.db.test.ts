import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { readSealKeys, retireSealKey } from "./seal-check.ts";

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

it("the first key becomes the database's key, and a rotation replaces it for good", async () => {
  expect(await readSealKeys(db, "a1")).toEqual({ keyId: "a1", retiredKeyIds: [] });
  expect(await readSealKeys(db, "b2")).toEqual({ keyId: "a1", retiredKeyIds: [] });
  await retireSealKey(db, { oldKeyId: "c3", newKeyId: "b2" });
  expect(await readSealKeys(db, "b2")).toEqual({ keyId: "a1", retiredKeyIds: [] });
  await retireSealKey(db, { oldKeyId: "a1", newKeyId: "b2" });
  await retireSealKey(db, { oldKeyId: "a1", newKeyId: "b2" });
  expect(await readSealKeys(db, "a1")).toEqual({ keyId: "b2", retiredKeyIds: ["a1"] });
});
