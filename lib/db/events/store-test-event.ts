import { newId } from "#lib/base/ids.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { insertSends, sendsOfEvent } from "./enqueue-sends.ts";
import { toTestEventId } from "./event-record.ts";

type TestEvent = {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly recipient: string | null;
  readonly type: string;
  /** The event's data as JSON. */
  readonly dataJson: string;
};

/**
 * Stores an event and one send of it, only to this subscription, regardless of its event types. The
 * caller has checked that it belongs to the account and is active.
 */
export async function storeTestEvent(
  db: Database | Transaction,
  { accountId, subscriptionId, recipient, type, dataJson }: TestEvent,
): Promise<{ readonly eventId: string; readonly runId: string }> {
  const internalId = newId();
  const eventId = toTestEventId(internalId);
  const timestamp = new Date().toISOString();
  const head = JSON.stringify({ id: eventId, type, timestamp }).slice(0, -1);
  const body = Buffer.from(`${head},"data":${dataJson}}`, "utf8");
  const [run] = await db.$queryRaw<{ id: string }[]>`
    with sent_events as (
      insert into events (id, account_id, public_id, type, recipient, body)
      values (${internalId}::uuid, ${accountId}::uuid, ${eventId}, ${type}, ${recipient}::text, ${body}::bytea)
      returning id, account_id, octet_length(body) as body_size, 0 as topic, 1 as position
    ), event_targets as (
      select 0 as topic, id as subscription_id, ordered, 0 as ordinal
      from subscriptions where id = ${subscriptionId}::uuid
    ), ${insertSends({ ...sendsOfEvent, returning: Prisma.sql`returning id` })}
    select id from enqueued_sends`;
  if (run === undefined) throw new Error("The test event was not stored");
  return { eventId, runId: run.id };
}
