import { expect, it } from "vitest";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { readSealKeys, retireSealKey } from "./seal-check.ts";

const { db } = withDatabase();

it("the first key becomes the database's key, and a rotation replaces it for good", async () => {
  expect(await readSealKeys(db, "a1")).toEqual({ keyId: "a1", retiredKeyIds: [] });
  expect(await readSealKeys(db, "b2")).toEqual({ keyId: "a1", retiredKeyIds: [] });
  await retireSealKey(db, { oldKeyId: "c3", newKeyId: "b2" });
  expect(await readSealKeys(db, "b2")).toEqual({ keyId: "a1", retiredKeyIds: [] });
  await retireSealKey(db, { oldKeyId: "a1", newKeyId: "b2" });
  await retireSealKey(db, { oldKeyId: "a1", newKeyId: "b2" });
  expect(await readSealKeys(db, "a1")).toEqual({ keyId: "b2", retiredKeyIds: ["a1"] });
});
