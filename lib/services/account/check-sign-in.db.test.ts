import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { prolongPauses } from "#lib/db/testing/prolong-pauses.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { ensureFirstOwner } from "./first-owner.ts";
import { checkSignIn, hashPassword, type SignInClient } from "./passwords.ts";

const { db } = withDatabase();

const owner = { email: "ada@example.com", password: "correct horse" };

beforeAll(async () => {
  await ensureFirstOwner(db, { ...owner, account: "acme", apiToken: undefined });
});

let addresses = 0;
function freshClient(): SignInClient {
  addresses += 1;
  return { address: `198.51.100.${addresses}` };
}

describe("a sign-in", () => {
  it("passes with any notation of the email, and exactly the same password", async () => {
    expect(await checkSignIn(db, owner, freshClient())).toMatchObject({ ok: true });
    expect(
      await checkSignIn(db, { ...owner, email: " Ada@EXAMPLE.com " }, freshClient()),
    ).toMatchObject({
      ok: true,
    });
    for (const password of ["correct horse ", "Correct horse", ""]) {
      expect(await checkSignIn(db, { ...owner, password }, freshClient())).toEqual({
        ok: false,
        code: "wrong",
      });
    }
  });

  it("passes with a short and common password that was set when the rules allowed it", async () => {
    const email = "grace@example.com";
    const passwordHash = await hashPassword("password");
    await db.user.create({ data: { id: newId(), email, name: "Grace", passwordHash } });
    expect(await checkSignIn(db, { email, password: "password" }, freshClient())).toMatchObject({
      ok: true,
    });
  });

  it.each([
    ["a list", "ada@example.com,eve@example.com"],
    ["a quoted local part", '"ada@evil"@example.com'],
    ["a look-alike @", "ada＠example.com"],
    ["an operator", { not: "" }],
    ["nothing", undefined],
  ])("with %s as email is wrong", async (_what, email) => {
    expect(await checkSignIn(db, { ...owner, email }, freshClient())).toEqual({
      ok: false,
      code: "wrong",
    });
  });

  it("takes as long for an unknown user as for a wrong password, and hashes no password of a megabyte", {
    tags: "variant",
  }, async () => {
    const tries = {
      known: { email: owner.email, password: "wrong" },
      unknown: { email: "nobody@example.com", password: "wrong" },
      long: { email: owner.email, password: "x".repeat(1_000_000) },
    };
    const times = { known: [] as number[], unknown: [] as number[], long: [] as number[] };
    // The processor time of all threads, since the hash is computed in one. By the clock, a busy
    // machine would decide.
    for (let round = 0; round < 15; round += 1) {
      for (const name of ["known", "unknown", "long"] as const) {
        const before = process.cpuUsage();
        await checkSignIn(db, tries[name], freshClient());
        const { user, system } = process.cpuUsage(before);
        times[name].push(user + system);
      }
    }
    // The least of each: garbage collection can only add to it.
    const [known = 0, unknown = 0, long = 0] = [times.known, times.unknown, times.long].map(
      (list) => Math.min(...list),
    );
    expect(unknown / known).toBeGreaterThan(0.6);
    expect(unknown / known).toBeLessThan(1.7);
    expect(long).toBeLessThan(known / 2);
  });

  it("is throttled, even with the right password", async () => {
    const client = freshClient();
    for (let i = 0; i < 7; i += 1) await checkSignIn(db, { ...owner, password: "wrong" }, client);
    await prolongPauses(db);
    expect(await checkSignIn(db, owner, client)).toMatchObject({ ok: false, code: "throttled" });
  });
});
