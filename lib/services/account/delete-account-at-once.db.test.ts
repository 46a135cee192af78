import { expect, it } from "vitest";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { markAccountDeleted } from "#lib/db/accounts/delete-account.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { lockHead } from "#lib/db/audit/audit-log.ts";
import { createPortalLink, findPortalAccess } from "#lib/db/recipients/portal-links.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();

it("no one is invited to an account once it is deleted", async () => {
  const { id, token } = await api.createAccount("inviting");
  const { running } = await api.db.$transaction(async (tx) => {
    await lockAccount(tx, id);
    const invite = { email: "eve@example.com", role: "viewer" };
    const running = api.send("POST", "/invitations", invite, token);
    await expect.poll(() => countWaiting(api.db)).toBe(1);
    await markAccountDeleted(tx, id);
    return { running };
  });
  expect((await running).status).toBe(404);
  expect(await api.db.invitation.count({ where: { accountId: id } })).toBe(0);
});

it("a hook that is being created is deleted with its account", async () => {
  const { id, token } = await api.createAccount("creating");
  await api.createHook({ name: "First" }, token);
  const userId = await addMember(api.db, id, "owner");
  const made = { name: "owner", userId, scopes: apiScopes, expiresAt: null };
  const owner = await createApiToken(api.db, id, made);
  const { creating, deleting } = await api.db.$transaction(async (tx) => {
    await lockHead(tx, id);
    const creating = api.send("POST", "/hooks", { name: "Second" }, token);
    await expect.poll(() => countWaiting(api.db)).toBe(1);
    const deleting = api.send("DELETE", `/accounts/${id}`, { name: "creating" }, owner.token);
    await expect.poll(() => countWaiting(api.db)).toBe(2);
    return { creating, deleting };
  });
  expect([(await creating).status, (await deleting).status]).toEqual([201, 204]);
  const hooks = await api.db.hook.findMany({ where: { accountId: id } });
  const deleted = { deletedAt: expect.any(Date) };
  expect(hooks).toEqual([expect.objectContaining(deleted), expect.objectContaining(deleted)]);
});

it("no hook is created in an account once it is deleted", async () => {
  const { id, token } = await api.createAccount("late");
  const { creating } = await api.db.$transaction(async (tx) => {
    await markAccountDeleted(tx, id);
    const creating = api.send("POST", "/hooks", { name: "Late" }, token);
    await expect.poll(() => countWaiting(api.db)).toBe(1);
    return { creating };
  });
  expect((await creating).status).toBe(404);
  expect(await api.db.hook.count({ where: { accountId: id } })).toBe(0);
});

it("a portal link opens nothing once its account is deleted", async () => {
  const { id } = await api.createAccount("linking");
  const link = { expiresInSeconds: 600, capabilities: [] };
  const { token, running } = await api.db.$transaction(async (tx) => {
    const { token } = await createPortalLink(tx, id, "cust_1", link);
    const running = api.db.$transaction((other) => markAccountDeleted(other, id));
    await expect.poll(() => countWaiting(api.db)).toBe(1);
    return { token, running };
  });
  await running;
  expect(await findPortalAccess(api.db, token)).toBeNull();
});
