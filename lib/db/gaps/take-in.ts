/** What a worker does for a job that takes missing events in. */

import { toPlainArrayText } from "#lib/db/postgres/array-text.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import type { TakeInFilter } from "#lib/schema/receive/gap.ts";

export type MissingEvent = {
  readonly key: string;
  readonly body: Uint8Array;
  /** True: a webhook has brought it since the search. */
  readonly isHere: boolean;
};

/** Where the events of a search come from. Null: the search is gone. */
export async function readGapSource(
  tx: SqlStatements,
  accountId: string,
  gapId: string,
): Promise<{ readonly provider: string; readonly origin: string | null } | null> {
  const [row] = await tx.$queryRaw<{ provider: string; origin: string | null }[]>`
    select g.provider, c.origin from gaps g left join credentials c on c.id = g.credential_id
    where g.id = ${gapId}::uuid and g.account_id = ${accountId}::uuid`;
  return row ?? null;
}

type SourceCredential = {
  readonly id: string;
  readonly origin: string;
  readonly version: number;
  readonly ciphertext: Uint8Array;
};

/** The credential of a search. Null: it was deleted. */
export async function readSourceCredential(
  tx: SqlStatements,
  accountId: string,
  gapId: string,
): Promise<SourceCredential | null> {
  const [row] = await tx.$queryRaw<SourceCredential[]>`
    select c.id, c.origin, c.version, c.ciphertext from gaps g join credentials c on c.id = g.credential_id
    where g.id = ${gapId}::uuid and g.account_id = ${accountId}::uuid and c.account_id = g.account_id`;
  return row ?? null;
}

/** Locks the next missing events, oldest first, which the caller takes in. */
export async function lockMissing(
  tx: SqlStatements,
  accountId: string,
  { gapId, eventTypes }: TakeInFilter,
  limit: number,
): Promise<readonly MissingEvent[]> {
  return await tx.$queryRaw<MissingEvent[]>`
    with next as materialized (
      select e.key, e.body, e.occurred_at from gap_events e join gaps g on g.id = e.gap_id
      where e.gap_id = ${gapId}::uuid and g.account_id = ${accountId}::uuid and e.state = 'missing' and e.body is not null
        and (${eventTypes === undefined}::boolean or e.event_type = any (${[...(eventTypes ?? [])]}::text[]))
      order by e.occurred_at, e.key limit ${limit}::int for update of e
    )
    select next.key, next.body, exists (select from dedupe_keys known where known.key = next.key) as "isHere"
    from next order by next.occurred_at, next.key`;
}

export type TakenEvent = {
  readonly key: string;
  readonly state: "taken" | "asked" | "repeated" | "refused";
  readonly deliveryId: string | null;
};

/** Records what became of locked events, and removes their bodies. */
export async function recordTaken(
  tx: SqlStatements,
  gapId: string,
  events: readonly TakenEvent[],
): Promise<void> {
  const count = (state: TakenEvent["state"]) =>
    events.filter((event) => event.state === state).length;
  await tx.$executeRaw`
    with ended as (
      update gap_events e set state = given.state, delivery_id = given.delivery_id, body = null
      from unnest(
        ${toUuidArray(events.map(({ key }) => key))}::uuid[], ${toPlainArrayText(events.map(({ state }) => state))}::text[],
        ${toUuidArray(events.map(({ deliveryId }) => deliveryId))}::uuid[]
      ) as given(key, state, delivery_id)
      where e.gap_id = ${gapId}::uuid and e.key = given.key
    )
    update gaps set taken_count = taken_count + ${count("taken") + count("asked")}::int,
      repeated_count = repeated_count + ${count("repeated")}::int, refused_count = refused_count + ${count("refused")}::int
    where id = ${gapId}::uuid`;
}

/** Removes the runs that the deliveries queued, in the transaction that stored them. */
export async function removeRuns(tx: SqlStatements, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await tx.$executeRaw`delete from queue where id = any (${[...runIds]}::uuid[]) and lease_id is null`;
}
