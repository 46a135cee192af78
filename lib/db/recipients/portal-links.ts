import { newId } from "#lib/base/ids.ts";
import { generateToken } from "#lib/db/accounts/api-tokens.ts";
import { hashToken } from "#lib/db/accounts/hash-token.ts";
import { senderSettingsColumns } from "#lib/db/accounts/sender-settings.ts";
import type { PortalLink } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { type PortalCapability, portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import type { PortalLinkInput } from "#lib/schema/send/recipient.ts";
import type { SenderSettings } from "#lib/schema/send/settings.ts";
import { ensureRecipient } from "./ensure-recipient.ts";

/** A link as its account sees it. Only the SHA-256 of its token is stored. */
export type PortalLinkRecord = {
  readonly id: string;
  readonly recipient: string;
  readonly capabilities: readonly PortalCapability[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

/** The access that a token grants. */
export type PortalAccess = {
  readonly linkId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly recipient: string;
  readonly capabilities: readonly PortalCapability[];
  readonly settings: SenderSettings;
};

/** Creates a link and returns its token, which can't be read again later. */
export async function createPortalLink(
  db: Database | Transaction,
  accountId: string,
  recipient: string,
  { expiresInSeconds, capabilities }: PortalLinkInput,
): Promise<{ readonly link: PortalLinkRecord; readonly token: string }> {
  const id = newId();
  const token = generateToken("cpl_");
  return await db.$transaction(async (tx) => {
    await ensureRecipient(tx, accountId, recipient);
    await tx.$executeRaw`
      insert into portal_links (id, account_id, recipient, token_hash, capabilities, expires_at)
      values (${id}::uuid, ${accountId}::uuid, ${recipient}, ${hashToken(token)}, ${[...capabilities]}::text[],
        now() + ${expiresInSeconds}::int * interval '1 second')`;
    const row = await tx.portalLink.findUniqueOrThrow({ where: { id }, omit: hidden });
    return { link: toRecord(row), token };
  });
}

/**
 * The access that a token grants, or null if it is unknown, revoked, or expired by the database's
 * clock. Reads the database each time, so a revocation takes effect with the next request. Records
 * the use at most once a minute.
 */
export async function findPortalAccess(
  db: SqlStatements,
  token: string,
): Promise<PortalAccess | null> {
  if (!/^cpl_[0-9A-Za-z]{36}$/.test(token)) return null;
  const [row] = await db.$queryRaw<AccessRow[]>`
    with found as (
      select l.id, l.account_id, a.name, l.recipient, l.capabilities, l.last_used_at
      from portal_links l join accounts a on a.id = l.account_id and a.deleted_at is null
      where l.token_hash = ${hashToken(token)} and l.revoked_at is null and l.expires_at > now()
    ), noted as (
      update portal_links set last_used_at = now()
      where id = (select id from found where last_used_at is null or last_used_at < now() - interval '1 minute')
    )
    select id, found.account_id, name, recipient, capabilities, ${senderSettingsColumns}
    from found left join sender_settings settings on settings.account_id = found.account_id`;
  if (row === undefined) return null;
  const { id, account_id, name, recipient, capabilities, ...settings } = row;
  return {
    linkId: id,
    accountId: account_id,
    accountName: name,
    recipient,
    capabilities: readCapabilities(capabilities),
    settings,
  };
}

/** Lists the newest 200 links of a recipient, including revoked and expired ones. */
export async function listPortalLinks(
  db: Database,
  accountId: string,
  recipient: string,
): Promise<readonly PortalLinkRecord[]> {
  const rows = await db.portalLink.findMany({
    where: { accountId, recipient },
    orderBy: { id: "desc" },
    take: 200,
    omit: hidden,
  });
  return rows.map(toRecord);
}

/** Ends a link now. Throws `not_found` if the recipient has no such link. */
export async function revokePortalLink(
  db: SqlStatements,
  accountId: string,
  recipient: string,
  linkId: string,
): Promise<void> {
  const count = await db.$executeRaw`
    update portal_links set revoked_at = coalesce(revoked_at, now())
    where id = ${requireId("portal link", linkId)}::uuid and account_id = ${accountId}::uuid and recipient = ${recipient}`;
  if (count === 0) throw notFound("portal link");
}

/** Ends all links of a recipient now. */
export async function revokePortalLinks(
  db: Database | Transaction,
  accountId: string,
  recipient: string,
): Promise<void> {
  await db.portalLink.updateMany({
    where: { accountId, recipient, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

type AccessRow = SenderSettings & {
  id: string;
  account_id: string;
  name: string;
  recipient: string;
  capabilities: string[];
};

const hidden = { accountId: true, tokenHash: true } as const;

function toRecord(row: Omit<PortalLink, keyof typeof hidden>): PortalLinkRecord {
  return { ...row, capabilities: readCapabilities(row.capabilities) };
}

/** Drops capabilities that this version doesn't know. */
function readCapabilities(stored: readonly string[]): readonly PortalCapability[] {
  return portalCapabilities.filter((capability) => stored.includes(capability));
}

/** The title of an account's portal. */
export async function findPortalName(tx: Transaction, accountId: string): Promise<string> {
  const { name, senderSettings } = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { name: true, senderSettings: { select: { portalName: true } } },
  });
  return senderSettings?.portalName ?? name;
}
