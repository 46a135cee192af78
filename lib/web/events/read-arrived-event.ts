import type { EventRecord } from "#lib/db/events/event-record.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { listRunsOfEvent } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { isAboutToChange } from "#lib/web/runs/delivery-runs.ts";

const shownSends = 5;

/** The newest event after this one, with its receivers' responses. Null: there is none. */
export async function readArrivedEvent(
  context: ServiceContext,
  accountId: string,
  afterId: string,
) {
  const { items } = await listEvents(context.db, accountId, {}, { limit: 1 });
  const [event] = items;
  if (event === undefined || event.internalId <= afterId) return null;
  return await viewEvent(context, accountId, event);
}

/** An event with its receivers' responses. Throws `not_found`. */
export async function readSentEvent(context: ServiceContext, accountId: string, eventId: string) {
  return await viewEvent(context, accountId, await getEvent(context.db, accountId, eventId));
}

async function viewEvent(
  { db }: ServiceContext,
  accountId: string,
  { id, internalId, type }: Pick<EventRecord, "id" | "internalId" | "type">,
) {
  const runs = await listRunsOfEvent(db, accountId, internalId);
  const ids = runs.slice(0, shownSends).map((run) => run.id);
  const rows = await readRunRows(db, accountId, ids);
  return {
    internalId,
    publicId: id,
    type,
    sends: rows.map((row) => ({
      id: row.id,
      subscriptionId: row.subscriptionId,
      receiverUrl: row.receiverUrl,
      description: row.subscriptionDescription,
      status: row.status,
      httpStatus: row.httpStatus,
      detail: row.reason?.detail ?? null,
    })),
    moreSends: runs.length - ids.length,
    isMoving: runs.some((run) => isAboutToChange(run, Date.now())),
  };
}
