import type { Page, PageRequest } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { decodeNameCursor, encodeNameCursor } from "#lib/db/postgres/name-cursor.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import {
  type Metadata,
  type Quota,
  type RecipientInput,
  type RecipientQuery,
  recipientId,
} from "#lib/schema/send/recipient.ts";
import { periodEnd, periodStart } from "./quotas.ts";

/** A customer of the account, identified by the account's own id. */
export type RecipientRecord = {
  readonly id: string;
  readonly name: string | null;
  readonly metadata: Metadata;
  readonly quota: Quota | null;
  /** Of the day or month that is now. Null: it has no quota. */
  readonly quotaUse: { readonly used: number; readonly resetsAt: Date } | null;
  readonly subscriptionCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type RecipientRow = Omit<RecipientRecord, "metadata" | "quota" | "quotaUse"> & {
  readonly metadata: string | null;
  readonly limit: number | null;
  readonly per: Quota["per"] | null;
  readonly whenUsedUp: Quota["whenUsedUp"] | null;
  readonly used: number | null;
  readonly resetsAt: Date | null;
};

/** The columns of `r`'s quota, and what is used of it now. */
const quotaColumns = Prisma.sql`r.quota_limit as "limit", r.quota_per as per, r.quota_when_used_up as "whenUsedUp",
      ${periodEnd(Prisma.sql`r.quota_per`)} as "resetsAt", (
        select used from quota_uses u
        where u.account_id = r.account_id and u.recipient = r.id and u.per = r.quota_per
          and u.starts_on = ${periodStart(Prisma.sql`r.quota_per`)}
      ) as used`;

/** The names of these recipients. One without a name, or that isn't registered, has no entry. */
export async function readRecipientNames(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.recipient.findMany({
    where: { accountId, id: { in: [...new Set(ids)] }, name: { not: null } },
    select: { id: true, name: true },
  });
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
}

/** Throws `not_found`. */
export async function getRecipient(
  db: SqlStatements,
  accountId: string,
  id: string,
): Promise<RecipientRecord> {
  const [row] = await db.$queryRaw<RecipientRow[]>`
    select r.id, r.name, r.metadata::text as metadata, r.created_at as "createdAt", r.updated_at as "updatedAt", ${quotaColumns},
      (select count(*)::int from subscriptions s
        where s.account_id = r.account_id and s.recipient = r.id and s.deleted_at is null) as "subscriptionCount"
    from recipients r where r.account_id = ${accountId}::uuid and r.id = ${requireRecipient(id)}`;
  if (row === undefined) throw notFound("recipient");
  return toRecord(row);
}

/**
 * Lists recipients, sorted by id, numbers by their value. `q` finds text in the id or the name,
 * among the next 5,000 recipients of a page.
 */
export async function listRecipients(
  db: Database,
  accountId: string,
  { q }: Pick<RecipientQuery, "q">,
  page: PageRequest,
): Promise<Page<RecipientRecord>> {
  const limit = q === undefined ? page.limit + 1 : maxScanned;
  const after = decodeNameCursor(page.cursor);
  const rows = await db.$queryRaw<(RecipientRow & { scanned: number; lastId: string | null })[]>`
    with scanned as materialized (
      select * from recipients
      where account_id = ${accountId}::uuid
        and (natural_key(id) collate "C", id collate "C")
          > (natural_key(${after}::text) collate "C", ${after}::text collate "C")
      order by account_id, natural_key(id) collate "C", id collate "C" limit ${limit}::int
    ), bounds as (
      select count(*)::int as scanned, (
        select id from scanned order by natural_key(id) collate "C" desc, id collate "C" desc limit 1
      ) as "lastId"
      from scanned
    ), found as (
      select * from scanned r
      where ${q ?? null}::text is null or strpos(lower(r.id || ' ' || coalesce(r.name, '')), lower(${q ?? null})) > 0
      order by natural_key(r.id) collate "C", r.id collate "C" limit ${page.limit + 1}::int
    )
    select bounds.scanned, bounds."lastId", r.id, r.name, r.metadata::text as metadata, r.created_at as "createdAt",
      r.updated_at as "updatedAt", ${quotaColumns}, (
        select count(*)::int from subscriptions s
        where s.account_id = ${accountId}::uuid and s.recipient = r.id and s.deleted_at is null
      ) as "subscriptionCount"
    from bounds left join found r on true order by natural_key(r.id) collate "C", r.id collate "C"`;
  const found = rows.filter(({ id }) => id !== null);
  const items = found.slice(0, page.limit).map(toRecord);
  const [bounds] = rows;
  const isCut = bounds !== undefined && bounds.scanned === limit;
  const end = found.length > page.limit ? items.at(-1)?.id : isCut ? bounds.lastId : null;
  return { items, nextCursor: end ? encodeNameCursor(end) : null };
}

const maxScanned = 5_000;

/** The number of active subscriptions that fail, of each of these recipients that has some. */
export async function countFailing(
  db: SqlStatements,
  accountId: string,
  recipients: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (recipients.length === 0) return new Map();
  const rows = await db.$queryRaw<{ recipient: string; count: number }[]>`
    select s.recipient, count(*)::int as count
    from subscriptions s join subscription_health h on h.subscription_id = s.id
    where s.account_id = ${accountId}::uuid and s.recipient = any (${[...recipients]}::text[])
      and s.deleted_at is null and s.status = 'active'
    group by s.recipient`;
  return new Map(rows.map(({ recipient, count }) => [recipient, count]));
}

/** Creates a recipient, or replaces its name and metadata. */
export async function upsertRecipient(
  db: Database | Transaction,
  accountId: string,
  id: string,
  { name, metadata, quota }: RecipientInput,
): Promise<void> {
  const data = {
    ...{ name, metadata },
    quotaLimit: quota?.limit ?? null,
    quotaPer: quota?.per ?? null,
    quotaWhenUsedUp: quota?.whenUsedUp ?? null,
  };
  await db.recipient.upsert({
    where: { accountId_id: { accountId, id } },
    create: { accountId, id, ...data },
    update: { ...data, updatedAt: new Date() },
    select: { id: true },
  });
  // Workers load its subscriptions again, with the quota.
  await db.$executeRaw`
    update subscriptions set updated_at = updated_at where account_id = ${accountId}::uuid and recipient = ${id} and deleted_at is null`;
}

/** Reads a recipient and locks its row until the transaction ends. Throws `not_found`. */
export async function lockRecipient(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<RecipientRecord> {
  await tx.$queryRaw`
    select from recipients where account_id = ${accountId}::uuid and id = ${requireRecipient(id)} for update`;
  return await getRecipient(tx, accountId, id);
}

/** Removes a recipient with its portal links. */
export async function removeRecipient(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<void> {
  await tx.recipient.delete({ where: { accountId_id: { accountId, id } }, select: { id: true } });
}

/** Throws `not_found` for a malformed id, which can't exist. */
function requireRecipient(id: string): string {
  if (!recipientId.safeParse(id).success) throw notFound("recipient");
  return id;
}

function toRecord(row: RecipientRow): RecipientRecord {
  const { id, name, metadata, subscriptionCount, createdAt, updatedAt, used, resetsAt } = row;
  const parsed = metadata === null ? {} : (JSON.parse(metadata) as Metadata);
  const quota = toQuota(row);
  const quotaUse = quota === null || resetsAt === null ? null : { used: used ?? 0, resetsAt };
  return { id, name, metadata: parsed, quota, quotaUse, subscriptionCount, createdAt, updatedAt };
}

function toQuota({ limit, per, whenUsedUp }: RecipientRow): Quota | null {
  if (limit === null || per === null || whenUsedUp === null) return null;
  return { limit, per, whenUsedUp };
}
