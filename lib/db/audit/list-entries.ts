import { hexToId } from "#lib/base/ids.ts";
import { decodeCursor, lastId, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { AuditFacts, AuditFilter } from "#lib/schema/account/audit.ts";
import { entryColumns } from "./audit-log.ts";

/** An entry as people read it. */
export type AuditRecord = AuditFacts & { readonly seq: number };

/** Lists the entries of an account, newest first. */
export async function listEntries(
  db: SqlStatements,
  accountId: string,
  filter: AuditFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<AuditRecord>> {
  const before = decodeCursor(cursor);
  const rows = await db.$queryRaw<AuditRow[]>`
    select ${entryColumns}, targets, changes from audit_entries
    where account_id = ${accountId}::uuid and ${matches(filter)}
      and ${before === lastId ? Prisma.sql`true` : Prisma.sql`seq < ${toSeq(before)}::bigint`}
    order by seq desc limit ${limit + 1}::int`;
  const { items, nextCursor } = toPage(
    rows.map((row) => ({ ...row, id: toId(row.seq) })),
    limit,
  );
  return {
    items: items.map(({ id: _, seq, ...row }) => ({ ...row, seq: Number(seq) })),
    nextCursor,
  };
}

type AuditRow = Omit<AuditRecord, "seq"> & { readonly seq: bigint };

function matches({ actor, event, target, q, from, to }: AuditFilter): Prisma.Sql {
  const conditions = [
    actor !== undefined &&
      Prisma.sql`(actor_id = ${actor} or position(lower(${actor}) in lower(actor_name)) > 0)`,
    event !== undefined && Prisma.sql`(event = ${event} or starts_with(event, ${`${event}.`}))`,
    target !== undefined && Prisma.sql`target_ids @> array[${target}]::text[]`,
    q !== undefined &&
      Prisma.sql`(position(lower(${q}) in lower(targets::text)) > 0
        or position(lower(${q}) in lower(changes::text)) > 0)`,
    from !== undefined && Prisma.sql`at >= ${new Date(from)}::timestamptz`,
    to !== undefined && Prisma.sql`at < ${new Date(to)}::timestamptz`,
  ].filter((condition) => condition !== false);
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " and ");
}

// Cursors of lists contain ids, so a number is written as one.
const toId = (seq: bigint) => hexToId(seq.toString(16).padStart(32, "0"));
/** Larger than any number: a cursor from elsewhere finds nothing, or everything. */
const maxSeq = 2n ** 62n;

function toSeq(id: string): bigint {
  const seq = BigInt(`0x${id.replaceAll("-", "")}`);
  return seq < maxSeq ? seq : maxSeq;
}

type EntriesAfter = {
  readonly seq: bigint;
  readonly events: readonly string[];
  /** Null: about anything. */
  readonly target: string | null;
  readonly limit: number;
};

/** The entries of some events after a number, newest first. */
export async function listEntriesAfter(
  db: SqlStatements,
  accountId: string,
  { seq, events, target, limit }: EntriesAfter,
): Promise<readonly AuditChangeRow[]> {
  return await db.$queryRaw<AuditChangeRow[]>`
    select seq, at, event, actor_name as "actorName", targets, changes from audit_entries
    where account_id = ${accountId}::uuid and seq > ${seq}::bigint and event = any(${events}::text[])
      and (${target}::text is null or target_ids @> array[${target}]::text[])
    order by seq desc limit ${limit}::int`;
}

type AuditChangeRow = Pick<AuditFacts, "at" | "event" | "actorName" | "targets" | "changes"> & {
  readonly seq: bigint;
};

type RecentEntry = {
  readonly event: string;
  readonly target: string;
  readonly since: Date | null;
};

/** Whether the account has such an entry. `since` null: from any time. */
export async function hasEntrySince(
  db: SqlStatements,
  accountId: string,
  { event, target, since }: RecentEntry,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from audit_entries
    where account_id = ${accountId}::uuid and event = ${event} and target_ids @> array[${target}]::text[]
      and at >= coalesce(${since}::timestamptz, '-infinity')
    limit 1`;
  return rows.length > 0;
}
