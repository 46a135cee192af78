import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** A hook with deliveries that weren't looked at. */
export type ShapedHook = {
  readonly hookId: string;
  readonly accountId: string;
  readonly name: string;
  readonly provider: string;
  /** Null: none was looked at. */
  readonly after: string | null;
  readonly newest: string;
};

/** The pause between two looks at a hook: a busy one leaves room for others. */
const restSeconds = 20;

/**
 * Finds the hook that waits longest to be looked at. Only one process looks at hooks at a time.
 *
 * @returns null if none is due, or another process looks
 */
export async function findDueHook(tx: SqlStatements): Promise<ShapedHook | null> {
  const [{ isOurs } = { isOurs: false }] = await tx.$queryRaw<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext('learn_shapes')) as "isOurs"`;
  if (!isOurs) return null;
  const [due] = await tx.$queryRaw<ShapedHook[]>`
    select h.id as "hookId", h.account_id as "accountId", h.name, h.provider, c.delivery_id as after, l.delivery_id as newest
    from last_deliveries l
    join hooks h on h.id = l.hook_id and h.deleted_at is null
    left join shape_cursors c on c.hook_id = l.hook_id
    where c.hook_id is null or (c.delivery_id < l.delivery_id and c.checked_at < now() - ${restSeconds}::int * interval '1 second')
    order by c.checked_at nulls first limit 1`;
  return due ?? null;
}

export async function moveCursor(tx: SqlStatements, hookId: string, newest: string): Promise<void> {
  await tx.$executeRaw`
    insert into shape_cursors (hook_id, delivery_id, checked_at) values (${hookId}::uuid, ${newest}::uuid, now())
    on conflict (hook_id) do update set delivery_id = excluded.delivery_id, checked_at = excluded.checked_at`;
}

/** An accepted delivery with what its payload is read from. */
export type ShapedDelivery = {
  readonly id: string;
  readonly receivedAt: Date;
  readonly eventType: string | null;
  readonly contentType: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
};

/** A look reads this many deliveries at most, the newest ones, and none with a larger body. */
const maxDeliveries = 20;
const maxBodyBytes = 128 * 1024;

/** The newest accepted deliveries of a hook, oldest first. Tests aren't among them. */
export async function readNewDeliveries(
  tx: SqlStatements,
  { hookId, after, newest }: Pick<ShapedHook, "hookId" | "after" | "newest">,
): Promise<readonly ShapedDelivery[]> {
  const first = after ?? "00000000-0000-0000-0000-000000000000";
  const rows = await tx.$queryRaw<(Omit<ShapedDelivery, "headers"> & { headers: string })[]>`
    select id, received_at as "receivedAt", event_type as "eventType", content_type as "contentType", headers::text as headers, body from (
      select id, received_at, event_type, content_type, headers, body, body_size, is_sample from deliveries
      where hook_id = ${hookId}::uuid and status = 'accepted' and id > ${first}::uuid and id <= ${newest}::uuid
      order by hook_id desc, status desc, id desc limit ${maxDeliveries}::int
    ) found
    where body_size <= ${maxBodyBytes}::int and not is_sample order by id`;
  return rows.map((row) => ({
    ...row,
    headers: JSON.parse(row.headers) as ShapedDelivery["headers"],
  }));
}

/** The stored shapes of these event types. Empty text: deliveries without a type. */
export async function readShapes(
  tx: SqlStatements,
  hookId: string,
  eventTypes: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const rows = await tx.$queryRaw<{ eventType: string; shape: unknown }[]>`
    select event_type as "eventType", shape from hook_shapes
    where hook_id = ${hookId}::uuid and event_type = any (${[...eventTypes]}::text[])`;
  return new Map(rows.map(({ eventType, shape }) => [eventType, shape]));
}

/** Further types of a hook aren't learned: some providers put ids into them. */
const maxEventTypes = 100;

export async function saveShape(
  tx: SqlStatements,
  hookId: string,
  eventType: string,
  shape: unknown,
): Promise<void> {
  await tx.$executeRaw`
    insert into hook_shapes (hook_id, event_type, shape)
    select ${hookId}::uuid, ${eventType}, ${JSON.stringify(shape)}::json
    where (select count(*) from hook_shapes where hook_id = ${hookId}::uuid) < ${maxEventTypes}::int
      or exists (select from hook_shapes where hook_id = ${hookId}::uuid and event_type = ${eventType})
    on conflict (hook_id, event_type) do update set shape = excluded.shape, updated_at = now()`;
}

/** True if the problem of this key isn't resolved. */
export async function isUnresolved(
  tx: SqlStatements,
  accountId: string,
  key: string,
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from problems where account_id = ${accountId}::uuid and key = ${key} and state <> 'resolved'`;
  return rows.length > 0;
}
