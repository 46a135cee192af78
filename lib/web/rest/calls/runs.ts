import { findEventId } from "#lib/db/events/events.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { retryRun } from "#lib/db/runs/retry-run.ts";
import { listRunSteps, resolveStep } from "#lib/db/runs/run-steps.ts";
import { cancelRun, getRun } from "#lib/db/runs/runs.ts";
import { resolveStepSchema, retryRunSchema, runQuerySchema } from "#lib/schema/run.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showRun, showRunStep, showRunWithAttempts } from "#lib/web/runs/run-view.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const getRuns = endpoint({
  scope: "deliveries:read",
  query: runQuerySchema,
  handle: async ({ context: { db }, accountId, query }) => {
    const { eventId, ...filter } = query;
    if (eventId === undefined)
      return showPage(await listRuns(db, accountId, filter, query), showRun);
    const found = await findEventId(db, accountId, eventId);
    if (found === null) return { data: [], nextCursor: null };
    return showPage(await listRuns(db, accountId, { ...filter, eventId: found }, query), showRun);
  },
});

export const getOneRun = endpoint({
  scope: "deliveries:read",
  handle: async ({ context: { db }, accountId, id }) => {
    const run = showRunWithAttempts(await getRun(db, accountId, id));
    return { ...run, steps: (await listRunSteps(db, accountId, id)).map(showRunStep) };
  },
});

export const postResolve = endpoint({
  scope: "deliveries:write",
  body: resolveStepSchema,
  handle: async ({ context: { db }, accountId, id, body }) =>
    showRunWithAttempts(await resolveStep(db, accountId, id, body)),
});

export const postRetry = endpoint({
  scope: "deliveries:write",
  body: retryRunSchema,
  handle: async ({ context: { db }, accountId, id, body }) =>
    showRunWithAttempts(await retryRun(db, accountId, id, body)),
});

export const postCancel = endpoint({
  scope: "deliveries:write",
  handle: async ({ context: { db }, accountId, id }) =>
    showRunWithAttempts(await cancelRun(db, accountId, id)),
});
