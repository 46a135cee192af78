import { idFloor } from "#lib/core/api/page.ts";
import type { SnapshotCursor } from "#lib/core/api/snapshot-cursor.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "./sql-database.ts";

/** Finds the ids of rows of a table `t` that a condition holds for, in their order. */
type Find = (isNew: Prisma.Sql, limit: number) => Promise<readonly { readonly id: string }[]>;

export type Span = {
  readonly cursor: SnapshotCursor | null;
  readonly limit: number;
  readonly notBeforeMs: number;
};

export type Since = {
  /** Oldest first, by their ids. */
  readonly ids: readonly string[];
  /** Continue here. */
  readonly cursor: SnapshotCursor;
  readonly isMore: boolean;
  /** True: the cursor was of another database, or too old, so some were passed over. */
  readonly isReset: boolean;
};

/**
 * How much earlier than a snapshot a row may have got its id, and still be stored after it. Statements that store take
 * seconds, and clocks differ by less.
 */
const marginMs = 10 * 60_000;

/**
 * Reads what was stored since a cursor, each row once, whatever order their transactions ended in
 * (docs/decisions/database/146). Without a cursor: nothing, and where now is.
 *
 * @param notBeforeMs rows with an earlier id are passed over, and `isReset` says so
 */
export async function readSince(
  db: SqlStatements,
  { cursor, limit, notBeforeMs }: Span,
  nowMs: number,
  find: Find,
): Promise<Since> {
  const current = await readSnapshot(db, cursor);
  const fresh = { snapshot: current.snapshot, atMs: nowMs, between: null };
  if (cursor === null) return { ids: [], cursor: fresh, isMore: false, isReset: false };
  if (!current.isOurs) return { ids: [], cursor: fresh, isMore: false, isReset: true };
  const { between, snapshot, atMs } = cursor;
  const upTo = between?.upTo ?? current.snapshot;
  const fromMs = Math.max(atMs - marginMs, notBeforeMs);
  // One more says that there are more.
  const isNew = Prisma.sql`t.id >= ${idFloor(fromMs)}::uuid
    and (${between?.afterId ?? null}::uuid is null or t.id > ${between?.afterId ?? null}::uuid)
    and not pg_visible_in_snapshot(${storedBy}, ${snapshot}::pg_snapshot)
    and pg_visible_in_snapshot(${storedBy}, ${upTo}::pg_snapshot)`;
  const rows = await find(isNew, limit + 1);
  const ids = rows.slice(0, limit).map(({ id }) => id);
  const afterId = ids.at(-1);
  const isMore = rows.length > limit && afterId !== undefined;
  const upToMs = between?.upToMs ?? nowMs;
  const isReset = notBeforeMs > atMs;
  if (isMore)
    return { ids, cursor: { snapshot, atMs, between: { afterId, upTo, upToMs } }, isMore, isReset };
  return { ids, cursor: { snapshot: upTo, atMs: upToMs, between: null }, isMore, isReset };
}

/**
 * The transaction that stored a row, as 64 bits. A row has only the lower half: the upper one is that of the youngest
 * transaction, or one less.
 */
const storedBy = Prisma.sql`(
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  - ((pg_snapshot_xmax(pg_current_snapshot())::text::bigint - t.xmin::text::bigint) & 4294967295)
)::text::xid8`;

type Current = { readonly snapshot: string; readonly isOurs: boolean };

/** What is visible now. A cursor with later transactions than there are is of another database. */
async function readSnapshot(db: SqlStatements, cursor: SnapshotCursor | null): Promise<Current> {
  const newest = cursor?.between?.upTo ?? cursor?.snapshot ?? null;
  const [row] = await db.$queryRaw<Current[]>`
    select pg_current_snapshot()::text as snapshot, coalesce(
      pg_snapshot_xmax(${newest}::pg_snapshot)::text::bigint
        <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint, true
    ) as "isOurs"`;
  if (row === undefined) throw new Error("PostgreSQL has no snapshot");
  return row;
}
