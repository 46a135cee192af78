import { beforeEach, describe, expect, it } from "vitest";
import { addMembership, setMemberRole } from "#lib/db/members/members.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { insertAccount } from "../../db/accounts/accounts.ts";
import { findApiToken, listApiTokens, revokeApiToken } from "../../db/accounts/api-tokens.ts";
import { hasOwner, insertOwner, lockOwners } from "../../db/accounts/owner.ts";
import { createSetupToken } from "../../db/accounts/setup-tokens.ts";
import { findUserCredentials, insertUser } from "../../db/accounts/users.ts";
import { claimSetup, ensureFirstOwner, readSetupState } from "./first-owner.ts";
import { verifyPassword } from "./passwords.ts";

const { db } = withDatabase({ poolSize: 8 });

beforeEach(async () => {
  await emptyTables(db, "accounts", "users", "setup_tokens");
});

async function isAnybodyWaiting(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and not granted and datname = current_database()`;
  return rows.length > 0;
}

const firstToken = "first-token-from-the-environment-000001";
const secondToken = "second-token-from-the-environment-00002";
const given = {
  email: "Ada@Example.com",
  password: "correct horse",
  account: "acme",
  apiToken: firstToken,
};
const setup = {
  email: "grace@example.com",
  password: "battery staple",
  name: "Grace",
  account: "navy",
};

describe("the owner from the environment", () => {
  it("signs in with the normalized email address and owns the account", async () => {
    expect(await ensureFirstOwner(db, given)).toBe("created");
    const user = await findUserCredentials(db, "ada@example.com");
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword("correct horse", user?.passwordHash ?? null)).toBe(true);
    expect(await verifyPassword("Correct horse", user?.passwordHash ?? null)).toBe(false);
    expect(await db.account.findUnique({ where: { slug: "acme" } })).not.toBeNull();
  });

  it("is created once, even by many processes at a time", async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => ensureFirstOwner(db, given)));
    expect(results.filter((result) => result === "created")).toHaveLength(1);
    expect(await db.user.count()).toBe(1);
    expect(await db.apiToken.count()).toBe(1);
  });

  it("is left alone if an owner exists", async () => {
    await ensureFirstOwner(db, given);
    const again = {
      ...given,
      email: "other@example.com",
      password: "another one",
      account: "other",
    };
    expect(await ensureFirstOwner(db, again)).toBe("exists");
    expect(await db.user.count()).toBe(1);
    expect(await db.account.count()).toBe(1);
  });

  it.each(["short", "password123"])(
    "is left alone if an owner exists and the password is %s, which no new owner may have",
    async (password) => {
      await ensureFirstOwner(db, given);
      expect(await ensureFirstOwner(db, { ...given, password })).toBe("exists");
      const user = await findUserCredentials(db, "ada@example.com");
      expect(await verifyPassword(given.password, user?.passwordHash ?? null)).toBe(true);
    },
  );

  it.each([
    ["an email address", { email: "a@x,b@y" }, /CATCHMENT_ADMIN_EMAIL must be an email address/],
    [
      "a short password",
      { password: "nine char" },
      /^CATCHMENT_ADMIN_PASSWORD: Use at least 10 characters\.$/,
    ],
    [
      "a common password",
      { password: "Password123" },
      /^CATCHMENT_ADMIN_PASSWORD: This password is too common\. Choose another one\.$/,
    ],
    ["an account", { account: "Not A Slug" }, /CATCHMENT_ADMIN_ACCOUNT must be 1 to 40/],
    ["a token", { apiToken: "short" }, /CATCHMENT_ADMIN_API_TOKEN must have 32/],
  ])("rejects %s that can't be used and says why", async (_what, change, message) => {
    await expect(ensureFirstOwner(db, { ...given, ...change })).rejects.toThrow(message);
    expect(await hasOwner(db)).toBe(false);
  });
});

describe("the token from the environment", () => {
  it("works with every scope and is replaced by a new one", async () => {
    await ensureFirstOwner(db, given);
    expect((await findApiToken(db, firstToken))?.scopes).toEqual(apiScopes);
    await ensureFirstOwner(db, { ...given, apiToken: secondToken });
    expect(await findApiToken(db, firstToken)).toBeNull();
    expect(await findApiToken(db, secondToken)).not.toBeNull();
  });

  it("goes to an owner who used the setup link", async () => {
    const claimed = await claimSetup({ db }, await createSetupToken(db), setup);
    await ensureFirstOwner(db, given);
    expect(await findApiToken(db, firstToken)).toMatchObject({
      accountId: claimed.ok ? claimed.accountId : "",
    });
  });

  it("stays with its account, where a new one replaces it, also under other owners", async () => {
    await ensureFirstOwner(db, given);
    const { accountId } = await db.membership.findFirstOrThrow();
    const { id: adaId } = await db.user.findFirstOrThrow();
    const grace = { email: "grace@example.com", name: "Grace", passwordHash: "x" };
    await db.$transaction(async (tx) => {
      const graceId = await insertUser(tx, { ...grace, isEmailVerified: true });
      await insertAccount(tx, { name: "Second", slug: "second", userId: adaId });
      await addMembership(tx, { accountId, userId: graceId ?? "", role: "owner" });
      await setMemberRole(tx, accountId, adaId, "admin");
    });
    await ensureFirstOwner(db, { ...given, apiToken: secondToken });
    expect(await findApiToken(db, firstToken)).toBeNull();
    expect(await findApiToken(db, secondToken)).toMatchObject({ accountId });
  });

  it("stays revoked after a restart with the same token", async () => {
    await ensureFirstOwner(db, given);
    const holder = await findApiToken(db, firstToken);
    await revokeApiToken(db, holder?.accountId ?? "", holder?.tokenId ?? "");
    await ensureFirstOwner(db, given);
    expect(await findApiToken(db, firstToken)).toBeNull();
    expect(await listApiTokens(db, holder?.accountId ?? "")).toHaveLength(1);
  });
});

describe("the setup link", () => {
  it("creates one owner and can't be used again", async () => {
    const token = await createSetupToken(db);
    expect(await readSetupState({ db }, token)).toBe("open");
    expect(await claimSetup({ db }, token, setup)).toMatchObject({ ok: true });
    expect(
      await claimSetup({ db }, token, { ...setup, email: "eve@example.com", account: "eve" }),
    ).toEqual({
      ok: false,
      code: "link_invalid",
    });
    expect(await db.user.count()).toBe(1);
  });

  it("rejects a common password, and still works with a better one", async () => {
    const token = await createSetupToken(db);
    expect(await claimSetup({ db }, token, { ...setup, password: "qwertyuiop" })).toEqual({
      ok: false,
      code: "password_common",
    });
    expect(await hasOwner(db)).toBe(false);
    expect(await claimSetup({ db }, token, setup)).toMatchObject({ ok: true });
  });

  it("creates one owner when many use it at once", async () => {
    const token = await createSetupToken(db);
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        claimSetup({ db }, token, { ...setup, email: `user${i}@example.com`, account: `a${i}` }),
      ),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await db.membership.count()).toBe(1);
  });

  it("creates no second owner beside one from the environment", async () => {
    const token = await createSetupToken(db);
    await ensureFirstOwner(db, given);
    expect(await claimSetup({ db }, token, setup)).toEqual({ ok: false, code: "owner_exists" });
    expect(await db.user.count()).toBe(1);
  });

  it("waits for an owner who is being created, and then creates no second one", async () => {
    const token = await createSetupToken(db);
    let claim: ReturnType<typeof claimSetup> | undefined;
    await db.$transaction(async (tx) => {
      await lockOwners(tx);
      await insertOwner(tx, {
        email: "ada@example.com",
        name: "Ada",
        account: "acme",
        passwordHash: "",
      });
      claim = claimSetup({ db }, token, setup);
      const settled = claim.then(() => true);
      await expect
        .poll(async () => (await isAnybodyWaiting()) || Promise.race([settled, false]))
        .toBe(true);
    });
    expect(await claim).toEqual({ ok: false, code: "owner_exists" });
    expect(await db.membership.count()).toBe(1);
  });

  it("stops working when a newer link is created", async () => {
    const token = await createSetupToken(db);
    await createSetupToken(db);
    expect(await readSetupState({ db }, token)).toBe("link_invalid");
    expect(await claimSetup({ db }, token, setup)).toEqual({ ok: false, code: "link_invalid" });
  });

  it("stops working after 24 hours", async () => {
    const token = await createSetupToken(db);
    await db.$executeRaw`update setup_tokens set expires_at = expires_at - interval '24 hours'`;
    expect(await claimSetup({ db }, token, setup)).toEqual({ ok: false, code: "link_invalid" });
  });

  it("does nothing with an invented token", async () => {
    for (const token of ["", "x", "\0", "A".repeat(43), "A".repeat(100_000)]) {
      expect(await claimSetup({ db }, token, setup)).toEqual({ ok: false, code: "link_invalid" });
    }
  });

  it("is not stored in the database", async () => {
    const token = await createSetupToken(db);
    const rows = await db.$queryRaw<{ text: string }[]>`select s::text as text from setup_tokens s`;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(token);
    expect(rows[0]?.text).not.toContain(Buffer.from(token).toString("hex"));
  });
});
