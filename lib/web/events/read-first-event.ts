import { toCurlCommand } from "#lib/core/http/curl-command.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { listRunsOfEvent } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { countSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { isAboutToChange } from "#lib/web/runs/delivery-runs.ts";

const placeholder = "YOUR_API_TOKEN";

/** The data that the steps to a first event show. */
export async function readFirstEvent({ db, env }: ServerContext, accountId: string) {
  const [events, statuses] = await Promise.all([
    listEvents(db, accountId, {}, { limit: 1 }),
    countSubscriptions(db, accountId),
  ]);
  const command = toCurlCommand({
    url: `${env.publicUrl}/api/v1/events`,
    method: "POST",
    headers: [
      ["authorization", `Bearer ${placeholder}`],
      ["content-type", "application/json"],
    ],
    body: '{"type": "invoice.paid", "data": {"number": "2026-0042", "amount": 1200, "currency": "EUR"}}',
  });
  return {
    subscriptionCount: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    command: command ?? "",
    placeholder,
    afterId: events.items[0]?.internalId ?? "",
  };
}

const shownSends = 5;

/** The newest event after this one, with its receivers' responses; null: there is none. */
export async function readArrivedEvent({ db }: ServerContext, accountId: string, afterId: string) {
  const { items } = await listEvents(db, accountId, {}, { limit: 1 });
  const [event] = items;
  if (event === undefined || event.internalId <= afterId) return null;
  const runs = await listRunsOfEvent(db, accountId, event.internalId);
  const rows = await readRunRows(
    db,
    accountId,
    runs.slice(0, shownSends).map(({ id }) => id),
  );
  return {
    publicId: event.id,
    type: event.type,
    sends: rows.map(({ id, receiverUrl, status, httpStatus, reason }) => ({
      id,
      receiverUrl,
      status,
      httpStatus,
      detail: reason?.detail ?? null,
    })),
    isMoving: runs.some((run) => isAboutToChange(run, Date.now())),
  };
}
