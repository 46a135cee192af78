import { Prisma } from "#lib/db/generated/client.ts";

/** A published event as its owner sees it. */
export type EventRecord = {
  /** The id that its publisher and its receivers know. */
  readonly id: string;
  /** Its key in the database, which decides its position in lists. */
  readonly internalId: string;
  readonly type: string;
  readonly recipient: string | null;
  /** Null: its publisher didn't specify it. */
  readonly occurredAt: Date | null;
  readonly createdAt: Date;
  /** The delivery that a hook published. Null: it was published through the API. */
  readonly deliveryId: string | null;
  /** The difference between its data and the schema of its type. */
  readonly warning: string | null;
  /** True if Catchment made it for one subscription. No other one ever gets it. */
  readonly isTest: boolean;
  /** The size of the body in bytes. */
  readonly bodySize: number;
};

/** An event with the bytes that every receiver gets. */
export type EventWithBody = EventRecord & { readonly body: Uint8Array };

/** Condition on `events e`: tests the public id, which no publisher can guess. */
const isTestEvent = Prisma.sql`(e.public_id = 'test_' || e.id::text)`;

export function toTestEventId(internalId: string): string {
  return `test_${internalId}`;
}

export const eventColumns = Prisma.sql`
  e.id as "internalId", e.public_id as id, e.type, e.recipient, e.occurred_at as "occurredAt",
  to_timestamp(uuid_v7_ms(e.id) / 1000.0) as "createdAt", e.delivery_id as "deliveryId", e.warning,
  ${isTestEvent} as "isTest", octet_length(e.body) as "bodySize"`;
