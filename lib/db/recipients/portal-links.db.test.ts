import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { readSenderSettings, saveSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { portalLinkSchema } from "#lib/schema/send/recipient.ts";
import { senderSettingsSchema } from "#lib/schema/send/settings.ts";
import {
  createPortalLink,
  findPortalAccess,
  listPortalLinks,
  revokePortalLink,
} from "./portal-links.ts";

const { db } = withDatabase();
let accountId: string;

beforeAll(async () => {
  accountId = await addAccount();
});

async function addAccount(): Promise<string> {
  const id = newId();
  await db.account.create({ data: { id, slug: `a${id.slice(-12)}`, name: "Acme" } });
  return id;
}

const create = (recipient: string, fields: object = {}) =>
  createPortalLink(db, accountId, recipient, portalLinkSchema.parse(fields));

it("a link opens its own recipient's portal, and only the hash of its token is stored", async () => {
  const { link, token } = await create("cust_1", { capabilities: ["subscriptions:read"] });
  expect(token).toMatch(/^cpl_[0-9A-Za-z]{36}$/);
  expect(await findPortalAccess(db, token)).toEqual({
    linkId: link.id,
    accountId,
    accountName: "Acme",
    recipient: "cust_1",
    capabilities: ["subscriptions:read"],
    settings: senderSettingsSchema.parse({}),
  });
  const [stored] = await db.$queryRaw<{ text: string }[]>`
    select to_jsonb(portal_links)::text as text from portal_links where id = ${link.id}::uuid`;
  expect(stored?.text).not.toContain(token.slice(4));
  const [listed] = await listPortalLinks(db, accountId, "cust_1");
  expect(listed?.lastUsedAt).toBeInstanceOf(Date);
});

it("a link ends at its time by the database's clock, or when it is revoked", async () => {
  const expiring = await create("cust_2", { expiresInSeconds: 60 });
  expect(await findPortalAccess(db, expiring.token)).not.toBeNull();
  await db.$executeRaw`
    update portal_links set expires_at = now() - interval '1 ms' where id = ${expiring.link.id}::uuid`;
  expect(await findPortalAccess(db, expiring.token)).toBeNull();

  const revoked = await create("cust_2");
  const otherAccount = await addAccount();
  const revoke = (of: string, recipient: string) =>
    revokePortalLink(db, of, recipient, revoked.link.id);
  await expect(revoke(otherAccount, "cust_2")).rejects.toMatchObject({ code: "not_found" });
  await expect(revoke(accountId, "cust_1")).rejects.toMatchObject({ code: "not_found" });
  expect(await findPortalAccess(db, revoked.token)).not.toBeNull();
  await revoke(accountId, "cust_2");
  expect(await findPortalAccess(db, revoked.token)).toBeNull();
});

it.each(["", "cpl_", "cmt_0", `cpl_${"a".repeat(36)}`, `cpl_${"a".repeat(5_000)}`])(
  "%.20s opens nothing",
  async (token) => expect(await findPortalAccess(db, token)).toBeNull(),
);

it("settings are read as saved, and are the defaults before", async () => {
  const defaults = senderSettingsSchema.parse({});
  expect(await readSenderSettings(db, accountId)).toEqual(defaults);
  const settings = senderSettingsSchema.parse({
    portalName: "Acme webhooks",
    portalColor: "#0F62FE",
    portalOrigins: ["https://App.example.com/", "http://localhost:3000"],
    isCatalogPublic: true,
  });
  expect(settings.portalOrigins).toEqual(["https://app.example.com", "http://localhost:3000"]);
  await saveSenderSettings(db, accountId, settings);
  await saveSenderSettings(db, accountId, settings);
  expect(await readSenderSettings(db, accountId)).toEqual(settings);
  const { token } = await create("cust_3");
  expect((await findPortalAccess(db, token))?.settings).toEqual(settings);
});

it.each(["*", "https://a.example/path", "https://a.example; script-src *", "javascript:alert(1)"])(
  "%s may not embed the portal",
  (origin) =>
    expect(senderSettingsSchema.safeParse({ portalOrigins: [origin] }).success).toBe(false),
);
