import { expect, it } from "vitest";
import { markAccountDeleted } from "#lib/db/accounts/delete-account.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { createPortalLink, findPortalAccess } from "#lib/db/recipients/portal-links.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();

it("no one is invited to an account once it is deleted", async () => {
  const { id, token } = await api.createAccount("inviting");
  const { running } = await api.db.$transaction(async (tx) => {
    await lockAccount(tx, id);
    const invite = { email: "eve@example.com", role: "viewer" };
    const running = api.send("POST", "/invitations", invite, token);
    await expect.poll(isAnybodyWaiting).toBe(true);
    await markAccountDeleted(tx, id);
    return { running };
  });
  expect((await running).status).toBe(404);
  expect(await api.db.invitation.count({ where: { accountId: id } })).toBe(0);
});

it("a portal link opens nothing once its account is deleted", async () => {
  const { id } = await api.createAccount("linking");
  const link = { expiresInSeconds: 600, capabilities: [] };
  const { token, running } = await api.db.$transaction(async (tx) => {
    const { token } = await createPortalLink(tx, id, "cust_1", link);
    const running = api.db.$transaction((other) => markAccountDeleted(other, id));
    await expect.poll(isAnybodyWaiting).toBe(true);
    return { token, running };
  });
  await running;
  expect(await findPortalAccess(api.db, token)).toBeNull();
});

async function isAnybodyWaiting(): Promise<boolean> {
  const rows = await api.db.$queryRaw<unknown[]>`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return rows.length > 0;
}
