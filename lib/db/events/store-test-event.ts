import type { Database } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { newId } from "#lib/ids.ts";
import { toTestEventId } from "./event-record.ts";

export type TestEvent = {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly recipient: string | null;
  readonly type: string;
  /** JSON. */
  readonly dataJson: string;
};

/**
 * Stores an event and one send of it, to this subscription only and whatever event types it has. The
 * caller has checked that it belongs to the account and is active.
 */
export async function storeTestEvent(
  db: Database,
  { accountId, subscriptionId, recipient, type, dataJson }: TestEvent,
): Promise<{ readonly eventId: string; readonly runId: string }> {
  const internalId = newId();
  const eventId = toTestEventId(internalId);
  const timestamp = new Date().toISOString();
  const head = JSON.stringify({ id: eventId, type, timestamp }).slice(0, -1);
  const body = Buffer.from(`${head},"data":${dataJson}}`, "utf8");
  const [run] = await db.$queryRaw<{ id: string }[]>`
    with event as (
      insert into events (id, account_id, public_id, type, recipient, body)
      values (${internalId}::uuid, ${accountId}::uuid, ${eventId}, ${type}, ${recipient}::text, ${body}::bytea)
      returning id
    ), places as (
      insert into subscription_positions as known (subscription_id, last_position)
      select id, 1 from subscriptions where id = ${subscriptionId}::uuid and ordered
      on conflict (subscription_id) do update set last_position = known.last_position + 1
      returning last_position
    )
    insert into queue (id, account_id, target_id, event_id, due_at, body_size, position)
    select run_id(event.id, 0), ${accountId}::uuid, ${subscriptionId}::uuid, event.id, now(), ${body.length}::int,
      (select last_position from places)
    from event
    returning id`;
  if (run === undefined) throw new Error("The test event was not stored");
  notifyRunsDue(db);
  return { eventId, runId: run.id };
}
