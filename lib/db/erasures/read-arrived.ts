import type { SnapshotCursor } from "#lib/core/api/snapshot-cursor.ts";
import { readSince } from "#lib/db/postgres/read-since.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

export type ArrivedTable = "deliveries" | "events";

/** A delivery or an event with everything in which a value may be. */
export type ArrivedRow = {
  readonly id: string;
  /** Columns with short texts. */
  readonly texts: readonly string[];
  readonly query: string;
  /** JSON as it is stored: a list of names and values. */
  readonly headers: string;
  readonly contentType: string | null;
  readonly body: Uint8Array;
};

type ArrivedBatch = {
  /** In the order of their ids. */
  readonly rows: readonly ArrivedRow[];
  /** Continue here once all rows were looked at. */
  readonly cursor: SnapshotCursor;
  /** Continue here if the row with this id is the last one that was looked at. Null: none was. */
  readonly cursorAfter: (id: string | null) => SnapshotCursor;
  readonly isMore: boolean;
};

/** The rows of a batch, and the bytes of their bodies. More would keep the thread busy for too long. */
const maxRows = 200;
const maxBytes = 1024 * 1024;

/** Before everything that is stored: what has an id of its time or later comes after it. */
export function beginAt(atMs: number): SnapshotCursor {
  return { snapshot: firstSnapshot, atMs, between: null };
}

/** No transaction of a database has a smaller number. */
const firstSnapshot = "3:3:";

/**
 * Reads the next deliveries or events that were stored or changed since a cursor, whatever order their
 * transactions ended in.
 *
 * @param nowMs the time before which nothing that isn't stored yet has arrived, in Unix milliseconds
 */
export async function readArrived(
  tx: SqlStatements,
  table: ArrivedTable,
  { accountId, cursor, nowMs }: ArrivedSpan,
): Promise<ArrivedBatch> {
  const find = finders[table](tx, accountId);
  const since = await readSince(tx, { cursor, limit: maxRows, notBeforeMs: 0 }, nowMs, find);
  // The database was restored: its transactions have other numbers.
  if (since.isReset)
    return await readArrived(tx, table, { accountId, cursor: beginAt(cursor.atMs), nowMs });
  const rows = await readers[table](tx, accountId, since.ids);
  const last = rows.at(-1)?.id;
  const isCut = last !== undefined && last !== since.ids.at(-1);
  const upTo = since.cursor.between ?? { upTo: since.cursor.snapshot, upToMs: since.cursor.atMs };
  const cursorAfter = (afterId: string | null): SnapshotCursor =>
    afterId === null
      ? cursor
      : {
          ...{ snapshot: cursor.snapshot, atMs: cursor.atMs },
          between: { afterId, upTo: upTo.upTo, upToMs: upTo.upToMs },
        };
  return {
    rows,
    cursor: isCut ? cursorAfter(last) : since.cursor,
    cursorAfter,
    isMore: isCut || since.isMore,
  };
}

type ArrivedSpan = {
  readonly accountId: string;
  readonly cursor: SnapshotCursor;
  readonly nowMs: number;
};

type Finder = Parameters<typeof readSince>[3];

const finders: Readonly<Record<ArrivedTable, (tx: SqlStatements, accountId: string) => Finder>> = {
  deliveries: (tx, accountId) => (isNew, limit) =>
    tx.$queryRaw<{ id: string }[]>`
    select t.id from deliveries t where t.account_id = ${accountId}::uuid and ${isNew} order by t.id limit ${limit}::int`,
  events: (tx, accountId) => (isNew, limit) =>
    tx.$queryRaw<{ id: string }[]>`
    select t.id from events t where t.account_id = ${accountId}::uuid and ${isNew} order by t.id limit ${limit}::int`,
};

type Reader = (
  tx: SqlStatements,
  accountId: string,
  ids: readonly string[],
) => Promise<readonly ArrivedRow[]>;

/** The first rows whose bodies have a megabyte together, and at least one. */
const readers: Readonly<Record<ArrivedTable, Reader>> = {
  deliveries: async (tx, accountId, ids) =>
    await tx.$queryRaw<ArrivedRow[]>`
    select id, array_remove(array[path, event_id, event_type, source_ip, content_type, detail], null) as texts, query,
      headers::text as headers, content_type as "contentType", body
    from (
      select *, sum(octet_length(body)) over (order by id) - octet_length(body) as before from deliveries
      where account_id = ${accountId}::uuid and id = any (${[...ids]}::uuid[])
    ) sized where before < ${maxBytes}::bigint order by id`,
  events: async (tx, accountId, ids) =>
    await tx.$queryRaw<ArrivedRow[]>`
    select id, array_remove(array[public_id, type, recipient, warning], null) as texts, '' as query, '[]' as headers,
      'application/json' as "contentType", body
    from (
      select *, sum(octet_length(body)) over (order by id) - octet_length(body) as before from events
      where account_id = ${accountId}::uuid and id = any (${[...ids]}::uuid[])
    ) sized where before < ${maxBytes}::bigint order by id`,
};
