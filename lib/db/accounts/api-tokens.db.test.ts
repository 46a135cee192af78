import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { type ApiScope, apiScopes } from "#lib/schema/account/scopes.ts";
import {
  createApiToken,
  findApiToken,
  generateApiToken,
  isOurApiToken,
  listApiTokens,
  revokeApiToken,
} from "./api-tokens.ts";

const { db } = withDatabase();
const accountId = newId();
const otherAccountId = newId();

beforeAll(async () => {
  await db.account.createMany({
    data: [
      { id: accountId, slug: "acme", name: "Acme" },
      { id: otherAccountId, slug: "other", name: "Other" },
    ],
  });
});

const plain = { name: "ci", userId: null, scopes: ["hooks:read"], expiresAt: null } as const;

describe("an API token", () => {
  it("identifies its holder and their scopes", async () => {
    const { id, token } = await createApiToken(db, accountId, plain);
    expect(await findApiToken(db, token)).toEqual({
      tokenId: id,
      name: "ci",
      accountId,
      scopes: ["hooks:read"],
      userId: null,
      role: "admin",
      maskedFields: [],
    });
    expect(await findApiToken(db, `${token}x`)).toBeNull();
    expect(await findApiToken(db, "")).toBeNull();
    expect(await findApiToken(db, "\0".repeat(40))).toBeNull();
  });

  it("has a prefix, 30 random characters, and a checksum that detects typos", () => {
    const token = generateApiToken();
    expect(token).toMatch(/^cmt_[0-9A-Za-z]{36}$/);
    expect(isOurApiToken(token)).toBe(true);
    const changed = `${token.slice(0, 10)}${token[10] === "a" ? "b" : "a"}${token.slice(11)}`;
    expect(isOurApiToken(changed)).toBe(false);
  });

  it("is never stored: only its hash and its last 4 characters are", async () => {
    const { token } = await createApiToken(db, accountId, plain);
    const rows = await db.$queryRaw<{ text: string }[]>`select t::text as text from api_tokens t`;
    const dump = rows.map((row) => row.text).join("\n");
    expect(dump).toContain(token.slice(-4));
    expect(dump).not.toContain(token.slice(0, -4));
  });

  it("stops working as soon as it is revoked, and only its own account can revoke it", async () => {
    const { id, token } = await createApiToken(db, accountId, plain);
    expect(await revokeApiToken(db, otherAccountId, id)).toBe(false);
    expect(await findApiToken(db, token)).not.toBeNull();
    expect(await revokeApiToken(db, accountId, id)).toBe(true);
    expect(await findApiToken(db, token)).toBeNull();
    expect(await revokeApiToken(db, accountId, id)).toBe(false);
  });

  it("has its maker's role at the time of use, and stops working when they leave", async () => {
    const userId = await addMember(db, accountId, "owner");
    const { token } = await createApiToken(db, accountId, { ...plain, userId });
    expect(await findApiToken(db, token)).toMatchObject({ userId, role: "owner" });
    const where = { accountId_userId: { accountId, userId } };
    await db.membership.update({ where, data: { role: "viewer" } });
    expect(await findApiToken(db, token)).toMatchObject({ role: "viewer" });
    await db.membership.delete({ where });
    expect(await findApiToken(db, token)).toBeNull();
  });

  it("sees fields masked unless it may write something, whatever else it may read", async () => {
    await db.account.update({ where: { id: accountId }, data: { maskedFields: ["**.email"] } });
    const maskedOf = async (...scopes: ApiScope[]) => {
      const { token } = await createApiToken(db, accountId, { ...plain, scopes });
      return (await findApiToken(db, token))?.maskedFields;
    };
    const reading = apiScopes.filter((scope) => scope.endsWith(":read"));
    expect(await maskedOf(...reading)).toEqual(["**.email"]);
    expect(await maskedOf("deliveries:read", "audit:read")).toEqual(["**.email"]);
    expect(await maskedOf("deliveries:read", "hooks:write")).toEqual([]);
    await db.account.update({ where: { id: accountId }, data: { maskedFields: [] } });
  });

  it("stops working when it expires", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { id, token } = await createApiToken(db, accountId, { ...plain, expiresAt });
    expect(await findApiToken(db, token)).not.toBeNull();
    await db.$executeRaw`update api_tokens set expires_at = now() - interval '1 ms' where id = ${id}::uuid`;
    expect(await findApiToken(db, token)).toBeNull();
  });

  it("records its use at most once a minute", async () => {
    const { id, token } = await createApiToken(db, accountId, plain);
    const lastUse = async () => (await db.apiToken.findUnique({ where: { id } }))?.lastUsedAt;
    expect(await lastUse()).toBeNull();
    await findApiToken(db, token);
    const first = await lastUse();
    expect(first).toBeInstanceOf(Date);
    await findApiToken(db, token);
    expect(await lastUse()).toEqual(first);
    await db.$executeRaw`update api_tokens set last_used_at = now() - interval '61 seconds' where id = ${id}::uuid`;
    await findApiToken(db, token);
    expect((await lastUse())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Number.NaN);
  });

  it("ignores a scope that this version doesn't know", async () => {
    const { id, token } = await createApiToken(db, accountId, plain);
    await db.$executeRaw`update api_tokens set scopes = '{everything:write,hooks:read}' where id = ${id}::uuid`;
    expect((await findApiToken(db, token))?.scopes).toEqual(["hooks:read"]);
  });

  it("is listed for its own account, newest first and without its hash", async () => {
    const { id } = await createApiToken(db, otherAccountId, plain);
    const { id: newer } = await createApiToken(db, otherAccountId, plain);
    const list = await listApiTokens(db, otherAccountId);
    expect(list.map((token) => token.id)).toEqual([newer, id]);
    expect(Object.keys(list[0] ?? {}).sort()).toEqual(
      [
        "createdAt",
        "maker",
        "expiresAt",
        "hint",
        "id",
        "lastUsedAt",
        "name",
        "revokedAt",
        "scopes",
      ].sort(),
    );
  });
});
