import { getEvent } from "#lib/db/events/events.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { resendEvent } from "#lib/db/events/resend-event.ts";
import { listRunsOfEvent, readRuns } from "#lib/db/runs/list-runs.ts";
import { eventQuerySchema, resendSchema } from "#lib/schema/sender/event-query.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showRun } from "#lib/web/runs/run-view.ts";
import { showEvent, showWholeEvent } from "#lib/web/views/sender/show-event.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const getEvents = endpoint({
  scope: "events:read",
  query: eventQuerySchema,
  handle: async ({ context: { db }, accountId, query }) =>
    showPage(await listEvents(db, accountId, query, query), showEvent),
});

export const getOneEvent = endpoint({
  scope: "events:read",
  handle: async ({ context: { db }, accountId, id }) => {
    const event = await getEvent(db, accountId, id);
    return showWholeEvent(event, await listRunsOfEvent(db, accountId, event.internalId));
  },
});

export const postResend = endpoint({
  scope: "events:write",
  body: resendSchema,
  status: 202,
  handle: async ({ context: { db }, accountId, id, body }) => {
    const ids = await resendEvent(db, accountId, id, body);
    const runs = await readRuns(db, accountId, { ids, limit: ids.length });
    return { runs: runs.map(showRun) };
  },
});
