import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { isId } from "#lib/base/ids.ts";
import {
  readSnapshotCursor,
  type SnapshotCursor,
  writeSnapshotCursor,
} from "#lib/core/api/snapshot-cursor.ts";
import { readNewDeliveries } from "#lib/db/deliveries/new-deliveries.ts";
import { readNewEvents } from "#lib/db/events/new-events.ts";
import type { Since } from "#lib/db/postgres/read-since.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { service } from "#lib/services/frame/service.ts";

/** What came since a cursor, by its ids, oldest first. */
export type NewItems = {
  readonly ids: readonly string[];
  readonly cursor: string;
  readonly isMore: boolean;
  /** Some were passed over: the cursor is of another database, or older than `notBeforeMs`. */
  readonly isReset: boolean;
};

const span = {
  /** Omitted: nothing is read, and the cursor says where now is. */
  cursor: z.string().max(8_000).optional(),
  limit: z.int().min(1).max(200).default(20),
  notBeforeMs: z.number().default(0),
};

/** The deliveries that were stored since a cursor, each once. */
export const readDeliveriesSince = service({
  permission: "deliveries:read",
  input: z.strictObject({
    ...span,
    hookId: recordId.optional(),
    status: z.enum(deliveryStatuses).optional(),
    eventType: z.string().max(1_024).optional(),
  }),
  run: async ({ db, actor, now }, { cursor, hookId, status, eventType, ...rest }) => {
    const of = { status: status ?? null, eventType: eventType ?? null };
    const hook = hookId === undefined ? null : isId(hookId) ? hookId : unknownId;
    const wanted = { ...rest, ...of, hookId: hook, cursor: readCursor(cursor) };
    return toItems(await readNewDeliveries(db, actor.accountId, wanted, now().getTime()));
  },
});

/** No row has it. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/** The events that were published since a cursor, each once. */
export const readEventsSince = service({
  permission: "events:read",
  input: z.strictObject({
    ...span,
    type: z.string().max(200).optional(),
    /** Null: without a recipient. */
    recipient: z.string().max(200).nullable().optional(),
  }),
  run: async ({ db, actor, now }, { cursor, type, recipient, ...rest }) => {
    const wanted = { ...rest, type: type ?? null, recipient, cursor: readCursor(cursor) };
    return toItems(await readNewEvents(db, actor.accountId, wanted, now().getTime()));
  },
});

function readCursor(text: string | undefined): SnapshotCursor | null {
  return text === undefined ? null : readSnapshotCursor(text);
}

function toItems({ cursor, ...since }: Since): NewItems {
  return { ...since, cursor: writeSnapshotCursor(cursor) };
}

const pauseMs = 500;

/** Reads until something came or the time is over. */
export async function waitForNew(
  read: (cursor: string | undefined) => Promise<NewItems>,
  { cursor, waitMs, signal }: { cursor: string | undefined; waitMs: number; signal: AbortSignal },
): Promise<NewItems> {
  const endsAt = performance.now() + waitMs;
  let found = await read(cursor);
  while (
    found.ids.length === 0 &&
    !found.isReset &&
    performance.now() < endsAt &&
    !signal.aborted
  ) {
    await delay(pauseMs, undefined, { signal }).catch(() => {});
    found = await read(found.cursor);
  }
  return found;
}
