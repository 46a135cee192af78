import { z } from "zod";
import type { EventWithBody } from "#lib/db/events/event-record.ts";
import { getEvent as findEvent } from "#lib/db/events/events.ts";
import { listEvents as findEvents } from "#lib/db/events/list-events.ts";
import { listRunsOfEvent } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { eventQuerySchema } from "#lib/schema/send/event-query.ts";
import { service } from "#lib/services/frame/service.ts";

export type { EventRecord } from "#lib/db/events/event-record.ts";

export type EventWithRuns = {
  readonly event: EventWithBody;
  readonly runs: readonly RunRecord[];
};

/** An event by its publisher's id or its internal one. Throws `not_found`. */
export const getEvent = service({
  permission: "events:read",
  input: z.strictObject({ id: recordId }),
  run: async ({ db, actor }, { id }): Promise<EventWithRuns> => {
    const event = await findEvent(db, actor.accountId, id);
    return { event, runs: await listRunsOfEvent(db, actor.accountId, event.internalId) };
  },
});

/** The account's events, newest first. */
export const listEvents = service({
  permission: "events:read",
  input: eventQuerySchema,
  run: ({ db, actor }, query) => findEvents(db, actor.accountId, query, query),
});
