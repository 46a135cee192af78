import { listEvents, readFirstSends } from "#lib/services/events/read-events.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { isAboutToChange } from "#lib/web/runs/delivery-runs.ts";

/** The newest event after this one, with its receivers' responses. Null: there is none. */
export async function readArrivedEvent(context: ServiceContext, afterId: string) {
  const { items } = await listEvents(context, { limit: "1" });
  const [event] = items;
  if (event === undefined || event.internalId <= afterId) return null;
  return await readSentEvent(context, event.internalId);
}

/** An event with its receivers' responses. Throws `not_found`. */
export async function readSentEvent(context: ServiceContext, eventId: string) {
  const { event, runs, rows } = await readFirstSends(context, { id: eventId });
  const nowMs = context.now().getTime();
  return {
    internalId: event.internalId,
    publicId: event.id,
    type: event.type,
    sends: rows.map((row) => ({
      id: row.id,
      subscriptionId: row.subscriptionId,
      receiverUrl: row.receiverUrl,
      description: row.subscriptionDescription,
      status: row.status,
      httpStatus: row.httpStatus,
      detail: row.reason?.detail ?? null,
    })),
    moreSends: runs.length - rows.length,
    isMoving: runs.some((run) => isAboutToChange(run, nowMs)),
  };
}
