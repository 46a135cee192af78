/** Requests that are evaluated after they were stored: pending and rejected ones. */

import { hideSealedValues } from "#lib/core/people/redact/sealed-value.ts";
import { splitRepeats } from "#lib/core/verify/dedupe/event-windows.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import { type NewDelivery, type StoredDelivery, storeDeliveries } from "./store-deliveries.ts";

export type StoredRequest = {
  readonly id: string;
  readonly reason: string | null;
  readonly receivedAtMs: number;
  readonly method: string;
  readonly path: string;
  /** The query. Credentials of pending requests are sealed, here and in `headers`. */
  readonly query: string;
  /** The headers as JSON: names and values in their order. */
  readonly headers: string;
  readonly contentType: string | null;
  /**
   * The size as sent. It exceeds that of the stored bytes if only the start of a rejected body is
   * kept, or none.
   */
  readonly bodySize: number;
  readonly body: Uint8Array;
  readonly sourceIp: string;
  readonly isSample: boolean;
  readonly verificationOutcome: string;
  readonly verificationScheme: string | null;
};

/** Columns of deliveries as `d`. */
const columns = Prisma.sql`
  d.id, d.reason, (extract(epoch from d.received_at) * 1000)::float8 as "receivedAtMs", d.method, d.path, d.query,
  d.headers::text as headers, d.content_type as "contentType", d.body_size as "bodySize", d.body, d.source_ip as "sourceIp",
  d.is_sample as "isSample", d.verification_outcome as "verificationOutcome", d.verification_scheme as "verificationScheme"`;

/** The number of pending deliveries of a hook. */
export async function countPending(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from deliveries
    where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid and status = 'pending'`;
  return row?.count ?? 0;
}

type Batch = { readonly after: string; readonly rows: number; readonly bytes: number };

/**
 * Reads the hook's next pending requests by id, at least one regardless of its size. A lock on the
 * hook keeps another call from reading them too.
 */
export function readPending(
  db: SqlStatements,
  { id: hookId, accountId }: { readonly id: string; readonly accountId: string },
  { after, rows, bytes }: Batch,
): Promise<readonly StoredRequest[]> {
  return db.$queryRaw<StoredRequest[]>`
    with next as (
      select id, sum(body_size) over (order by id) as bytes, row_number() over (order by id) as position from (
        select id, body_size from deliveries
        where hook_id = ${hookId}::uuid and status = 'pending' and id > ${after}::uuid
          and account_id = ${accountId}::uuid
        order by id limit ${rows}::int
      ) of_hook
    )
    select ${columns}
    from next cross join lateral (select * from deliveries where id = next.id and status = 'pending' limit 1) d
    where next.position = 1 or next.bytes <= ${bytes}::int
    order by d.id`;
}

/** Reads those of the ids that are rejected, by id. */
export function readRejected(
  db: SqlStatements,
  accountId: string,
  ids: readonly string[],
): Promise<readonly StoredRequest[]> {
  return readOfStatus(db, { accountId, ids, status: "rejected" });
}

/** Reads those of the ids that have this status, by id. */
export function readOfStatus(
  db: SqlStatements,
  { accountId, ids, status }: { accountId: string; ids: readonly string[]; status: DeliveryStatus },
): Promise<readonly StoredRequest[]> {
  return db.$queryRaw<StoredRequest[]>`
    select ${columns} from unnest(${[...ids]}::uuid[]) as wanted(id)
    cross join lateral (
      select * from deliveries
      where id = wanted.id and status = ${status} and account_id = ${accountId}::uuid limit 1
    ) d
    order by d.id`;
}

/** Throws `not_found` if the delivery or its hook is gone. */
export async function findHookOfDelivery(
  db: SqlStatements,
  accountId: string,
  deliveryId: string,
): Promise<string> {
  const [found] = await db.$queryRaw<{ hook_id: string }[]>`
    select d.hook_id from deliveries d join hooks h on h.id = d.hook_id and h.deleted_at is null
    where d.id = ${deliveryId}::uuid and d.account_id = ${accountId}::uuid`;
  if (found === undefined) throw notFound("delivery");
  return found.hook_id;
}

/**
 * Replaces rows with their evaluated deliveries. The statement of the catch path adds their keys
 * and runs. They keep their ids, so the order of the list and all links stay the same.
 */
export async function replaceDeliveries(
  tx: SqlStatements,
  evaluated: readonly NewDelivery[],
): Promise<readonly StoredDelivery[]> {
  const ids = evaluated.map(({ id }) => id);
  await tx.$executeRaw`delete from deliveries where id = any (${ids}::uuid[])`;
  const stored: StoredDelivery[] = [];
  for (const part of splitRepeats(evaluated))
    if (part.length > 0) stored.push(...(await storeDeliveries(tx, part)));
  await tx.$executeRaw`
    update last_deliveries l set status = d.status
    from unnest(${ids}::uuid[]) as replaced(id)
    cross join lateral (select status from deliveries where id = replaced.id limit 1) d
    where l.delivery_id = replaced.id`;
  await recountHours(tx, ids);
  return stored;
}

type Pairs = readonly (readonly [name: string, value: string])[];

export function readPairs({ headers }: Pick<StoredRequest, "headers">): Pairs {
  return JSON.parse(headers) as Pairs;
}

/** Removes sealed credentials. */
export function hideSealed(row: StoredRequest): StoredRequest {
  const { path, query, headers } = row;
  return {
    ...row,
    path: hideSealedValues(path),
    query: hideSealedValues(query),
    headers: hideSealedValues(headers),
  };
}
