import { z } from "zod";
import { getEvent } from "#lib/db/events/events.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { endedRunStates } from "#lib/schema/act/run-states.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { service } from "#lib/services/frame/service.ts";
import { showSubscription } from "./read-portal-subscriptions.ts";

const pageSize = 20;

/** Those of one subscription. An unknown status in a URL is ignored. */
const ofSubscription = z.strictObject({
  id: recordId,
  cursor: z.string().optional(),
  job: z.string().optional(),
  status: z.string().optional().transform(toEndedState),
});

function toEndedState(status: string | undefined) {
  return endedRunStates.find((one) => one === status);
}

/** The newest sends of a subscription, or those of a job, by their outcome. */
export const listPortalSends = service({
  permission: "events:read",
  input: ofSubscription,
  portalInput: ofSubscription,
  run: async ({ db, actor }, { id, cursor, job: jobId, status }) => {
    const { accountId } = actor;
    const scope = recipientScope(actor);
    const subscription = await getSubscription(db, accountId, id, scope);
    const filter = { ...scope, subscriptionId: subscription.id, jobId, status };
    const { items, nextCursor } = await listRuns(db, accountId, filter, {
      limit: pageSize,
      cursor,
    });
    const ids = items.map((run) => run.id);
    return { items: await readRunRows(db, accountId, ids), nextCursor };
  },
});

/** One send with its attempts and its event. Throws `not_found`. */
export const getPortalSend = service({
  permission: "events:read",
  input: byId,
  portalInput: byId,
  run: async ({ db, actor }, { id }) => {
    const { accountId } = actor;
    const scope = recipientScope(actor);
    const run = await getRun(db, accountId, id, scope);
    const { internalEventId, subscriptionId } = run;
    if (subscriptionId === null) throw notFound("run");
    const subscription = await getSubscription(db, accountId, subscriptionId, scope);
    const event =
      internalEventId === null
        ? null
        : await getEvent(db, accountId, internalEventId, scope).catch(() => null);
    return { run, subscription: showSubscription(subscription, undefined), event };
  },
});
