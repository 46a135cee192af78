import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "#lib/db/client.ts";
import { ensureFirstOwner } from "#lib/db/owner.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { checkSignIn } from "./check-sign-in.ts";

let testDatabase: TestDatabase;
let db: Database;

const owner = { email: "ada@example.com", password: "correct horse" };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
  await ensureFirstOwner(db, { ...owner, account: "acme", apiToken: undefined });
});
afterAll(async () => {
  await db?.$disconnect();
  await testDatabase?.drop();
});

let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

describe("a sign-in", () => {
  it("passes in any spelling of the e-mail, with the password to the letter", async () => {
    expect(await checkSignIn(db, owner, freshAddress())).toMatchObject({ ok: true });
    expect(await checkSignIn(db, { ...owner, email: " Ada@EXAMPLE.com " }, freshAddress())).toMatchObject({
      ok: true,
    });
    for (const password of ["correct horse ", "Correct horse", ""]) {
      expect(await checkSignIn(db, { ...owner, password }, freshAddress())).toEqual({
        ok: false,
        code: "wrong",
      });
    }
  });

  it.each([
    ["a list", "ada@example.com,eve@example.com"],
    ["a quoted local part", '"ada@evil"@example.com'],
    ["a look-alike @", "ada＠example.com"],
    ["an operator", { not: "" }],
    ["nothing", undefined],
  ])("with %s as e-mail is wrong", async (_what, email) => {
    expect(await checkSignIn(db, { ...owner, email }, freshAddress())).toEqual({ ok: false, code: "wrong" });
  });

  it("with a password of a megabyte is wrong without any hashing", async () => {
    const startedAt = performance.now();
    for (let i = 0; i < 20; i += 1)
      await checkSignIn(db, { ...owner, password: "x".repeat(1_000_000) }, null);
    expect((performance.now() - startedAt) / 20).toBeLessThan(5);
  });

  it("takes an unknown user as long as a wrong password", async () => {
    const time = async (email: string) => {
      const times: number[] = [];
      for (let i = 0; i < 9; i += 1) {
        const startedAt = performance.now();
        await checkSignIn(db, { email, password: "wrong" }, freshAddress());
        times.push(performance.now() - startedAt);
      }
      return times.toSorted((one, other) => one - other)[4] ?? 0;
    };
    const [known, unknown] = [await time(owner.email), await time("nobody@example.com")];
    expect(unknown / known).toBeGreaterThan(0.6);
    expect(unknown / known).toBeLessThan(1.7);
  });

  it("is throttled, also with the right password", async () => {
    const address = freshAddress();
    for (let i = 0; i < 7; i += 1) await checkSignIn(db, { ...owner, password: "wrong" }, address);
    expect(await checkSignIn(db, owner, address)).toMatchObject({ ok: false, code: "throttled" });
  });
});
