import { beforeAll, expect, it } from "vitest";
import { createSession, findSessionUser, listSessions } from "#lib/db/accounts/sessions.ts";
import { findUserCredentials } from "#lib/db/accounts/users.ts";
import { readEntriesAfter } from "#lib/db/audit/audit-log.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import type { Actor, UserActor } from "#lib/services/frame/actor.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { createApiToken, createPublishToken, revokeApiToken } from "./api-tokens.ts";
import { ensureFirstOwner } from "./first-owner.ts";
import { changePassword, endAllSessions, endSession, saveProfile } from "./profile.ts";
import { renameAccount, saveSenderSettings } from "./sender-settings.ts";

const { db } = withDatabase();
const email = "ada@example.com";
const password = "correct horse";
const browser = { userAgent: "a browser", address: null };
let owner: UserActor;

const as = (actor: Actor) => testContext(db, actor.accountId, { actor });

async function openSession(): Promise<string> {
  const user = await findUserCredentials(db, email);
  const id = user && (await createSession(db, user, browser));
  if (typeof id !== "string") throw new Error("No session");
  return id;
}

beforeAll(async () => {
  await ensureFirstOwner(db, { email, password, account: "acme", apiToken: undefined });
  const { userId, accountId } = await db.membership.findFirstOrThrow();
  const sessionId = await openSession();
  owner = { type: "user", accountId, userId, email, role: "owner", sessionId, maskedFields: [] };
});

it("only people change tokens and their profile: no token and no portal link does", async () => {
  const { accountId } = owner;
  const token = {
    type: "token",
    accountId,
    tokenId: "t",
    name: "t",
    scopes: apiScopes,
    userId: owner.userId,
    role: "owner",
    maskedFields: [],
  } as const;
  const capabilities = portalCapabilities;
  const portal = { type: "portal", accountId, recipient: "cust_1", capabilities } as const;
  for (const actor of [token, portal]) {
    const context = as(actor);
    for (const call of [
      createApiToken(context, { name: "n", scopes: ["hooks:read"], expiresInDays: null }),
      createPublishToken(context, {}),
      revokeApiToken(context, { id: owner.sessionId }),
      saveProfile(context, { name: "Stolen", email, browser }),
      changePassword(context, { currentPassword: password, newPassword: "x".repeat(12), browser }),
      endSession(context, { id: owner.sessionId }),
      endAllSessions(context, {}),
    ])
      await expect(call).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(await listSessions(db, owner.userId)).toHaveLength(1);
});

it("the audit log has the scopes of a new token, and not the token", async () => {
  const made = { name: "n", scopes: ["hooks:read", "events:write"], expiresInDays: null } as const;
  const { token } = await createApiToken(as(owner), { ...made, scopes: [...made.scopes] });
  const entries = await readEntriesAfter(db, owner.accountId, { seq: 0n, limit: 100 });
  const entry = entries.findLast(({ event }) => event === "api_token.created");
  expect(JSON.parse(entry?.changes ?? "[]")).toEqual([
    { path: "scopes", after: '["hooks:read","events:write"]' },
    { path: "expiresAt", after: null },
  ]);
  expect(
    JSON.stringify(entry, (_key, value) => (typeof value === "bigint" ? 0 : value)),
  ).not.toContain(token);
});

it("a member can't rename the account or change how it sends", async () => {
  const context = as({ ...owner, role: "member" });
  for (const call of [
    renameAccount(context, { id: owner.accountId, name: "x" }),
    saveSenderSettings(context, {}),
  ])
    await expect(call).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringMatching(/^Only admins and owners can .* Your role is member\.$/),
    });
  await renameAccount(as({ ...owner, role: "admin" }), { id: owner.accountId, name: "Acme Inc." });
  const { name } = await db.account.findFirstOrThrow();
  expect(name).toBe("Acme Inc.");
});

it("a new email needs the password, and a new name doesn't", async () => {
  const context = as(owner);
  await saveProfile(context, { name: "Ada", email, browser });
  for (const given of [{}, { password: "wrong" }])
    await expect(
      saveProfile(context, { name: "Eve", email: "eve@example.com", browser, ...given }),
    ).rejects.toMatchObject({ code: "invalid_request", errors: [{ path: "password" }] });
  const { name, email: kept } = await db.user.findFirstOrThrow();
  expect([name, kept]).toEqual(["Ada", email]);
});

it("a time zone is a known one or the browser's, and stays if it isn't named", async () => {
  const save = async (timeZone?: string) => {
    const zone = timeZone === undefined ? {} : { timeZone };
    await saveProfile(as(owner), { name: "Ada", email, browser, ...zone });
    return (await findSessionUser(db, owner))?.timeZone;
  };
  expect(await save("Asia/Tokyo")).toBe("Asia/Tokyo");
  expect(await save()).toBe("Asia/Tokyo");
  await expect(save("Mars/Olympus")).rejects.toMatchObject({ errors: [{ path: "timeZone" }] });
  expect(await save("")).toBeNull();
});

it("a user ends only their own sessions", async () => {
  const id = await openSession();
  await endSession(as({ ...owner, userId: owner.accountId }), { id });
  expect(await listSessions(db, owner.userId)).toHaveLength(2);
  await endSession(as(owner), { id });
  expect(await listSessions(db, owner.userId)).toHaveLength(1);
});

it("a new password ends every session and opens one for the browser that set it", async () => {
  await openSession();
  const given = { currentPassword: password, newPassword: "a few words in a row", browser };
  await expect(
    changePassword(as(owner), { ...given, newPassword: "Password123" }),
  ).rejects.toMatchObject({ errors: [{ path: "newPassword" }] });
  const { sessionId } = await changePassword(as(owner), given);
  expect((await listSessions(db, owner.userId)).map(({ id }) => id)).toEqual([sessionId]);
});
