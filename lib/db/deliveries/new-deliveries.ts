import type { Database } from "#lib/db/postgres/client.ts";
import { readSince, type Since, type Span } from "#lib/db/postgres/read-since.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";

type Wanted = Span & {
  readonly hookId: string | null;
  readonly status: DeliveryStatus | null;
  readonly eventType: string | null;
};

/** The deliveries of an account that were stored since a cursor, or accepted since. */
export async function readNewDeliveries(
  db: Database,
  accountId: string,
  { hookId, status, eventType, ...span }: Wanted,
  nowMs: number,
): Promise<Since> {
  return await readSince(
    db,
    span,
    nowMs,
    (isNew, limit) => db.$queryRaw<{ id: string }[]>`
      select t.id from deliveries t
      where t.account_id = ${accountId}::uuid and ${isNew}
        and (${hookId}::uuid is null or t.hook_id = ${hookId}::uuid)
        and (${status}::text is null or t.status = ${status}::text)
        and (${eventType}::text is null or t.event_type = ${eventType}::text)
      order by t.id limit ${limit}::int`,
  );
}
