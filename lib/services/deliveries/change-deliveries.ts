import { AppError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { firstId } from "#lib/core/api/page.ts";
import { removeDelivery } from "#lib/db/deliveries/delete-delivery.ts";
import { countRejected as countMatches } from "#lib/db/deliveries/scan-rejected.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import type { BulkJobRecord } from "#lib/db/runs/bulk-jobs.ts";
import { findFailedRunIds } from "#lib/db/runs/select-run-ids.ts";
import {
  type Acceptance,
  acceptDelivery as acceptStored,
  examineDelivery as examineStored,
} from "#lib/evaluate/stored/accept-delivery.ts";
import { byId } from "#lib/schema/field/common.ts";
import { selectedSchema } from "#lib/schema/field/selected.ts";
import { bulkAcceptSchema } from "#lib/schema/receive/delivery.ts";
import { changeEach, startBulkJob } from "#lib/services/bulk-jobs.ts";
import { withEvaluationParts } from "#lib/services/evaluation.ts";
import { seesMasked } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { retryRun } from "#lib/services/runs.ts";
import { readWholeDelivery, type WholeDelivery } from "./read-deliveries.ts";
import { replayDelivery } from "./replay-deliveries.ts";

type AcceptedDelivery = WholeDelivery & {
  /** A duplicate's event isn't new, so it runs nothing. */
  readonly outcome: "accepted" | "duplicate";
};

/**
 * Accepts a rejected delivery that verifies now, and queues its runs. Throws `conflict` if it doesn't
 * verify, can't be checked, or is no longer rejected.
 */
export const acceptDelivery = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<AcceptedDelivery> => {
    const { db, actor } = context;
    const outcome = await withEvaluationParts(context, (parts) =>
      db.$transaction(
        async (tx) => {
          const accepted = await acceptStored(tx, actor.accountId, id, parts);
          const targets = [{ type: "delivery", id }];
          await audit(context, { event: "delivery.accepted", targets }, tx);
          return accepted;
        },
        { timeout: 30_000 },
      ),
    );
    if (outcome === "accepted") notifyRunsDue(db);
    return { ...(await readWholeDelivery(context, id)), outcome };
  },
});

/**
 * Checks if a rejected delivery could be accepted now, and if not, why. Null: it isn't rejected, or
 * has masked fields.
 */
export const examineDelivery = service({
  permission: "deliveries:read",
  input: byId,
  run: async (context, { id }): Promise<Acceptance | null> =>
    seesMasked(context.actor)
      ? null
      : await withEvaluationParts(context, (parts) =>
          examineStored(context.db, context.actor.accountId, id, parts),
        ),
});

/**
 * Accepts the deliveries that match a filter, are rejected now, and verify, in the background. Throws
 * `conflict` if there are none.
 */
export const acceptDeliveries = service({
  permission: "deliveries:write",
  input: bulkAcceptSchema,
  run: async (context, { filter: given, ...limits }): Promise<BulkJobRecord> => {
    const { status: _rejected, ...filter } = given;
    const total = await countMatches(context.db, context.actor.accountId, filter);
    if (total === 0) throw new AppError("conflict", "No rejected delivery matches this filter.");
    const job = { kind: "accept", filter, total, seenBefore: firstId } as const;
    return await startBulkJob(context, job, limits);
  },
});

/** The number of deliveries that a job would process now. Null: too many to count. */
export const countRejected = service({
  permission: "deliveries:read",
  input: bulkAcceptSchema,
  run: ({ db, actor }, { filter: { status: _rejected, ...filter } }) =>
    countMatches(db, actor.accountId, filter),
});

/**
 * Permanently deletes a delivery with its runs and their attempts. If the same event is sent again,
 * it is still a duplicate and runs nothing. Throws `conflict` while one of its calls is in flight.
 */
export const deleteDelivery = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      // The error rolls back everything deleted so far.
      if (!(await removeDelivery(tx, context.actor.accountId, id)))
        throw new AppError(
          "conflict",
          "A call of this delivery is in progress. Wait for it to end, or cancel the run first.",
        );
      await audit(context, { event: "delivery.deleted", targets: [{ type: "delivery", id }] }, tx);
    });
  },
});

/** Runs the enabled actions of their hooks again on each of the selected deliveries. */
export const replaySelected = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: (context, { ids }) => changeEach(ids, (id) => replayDelivery(context, { id })),
});

/** Accepts those of the selected deliveries that verify now, and runs them. */
export const acceptSelected = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: (context, { ids }) => changeEach(ids, (id) => acceptDelivery(context, { id })),
});

/** Retries the failed runs of the selected deliveries. */
export const retrySelected = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: async (context, { ids }) => {
    const failed = await findFailedRunIds(context.db, context.actor.accountId, ids.filter(isId));
    return await changeEach(ids, async (deliveryId) => {
      const runs = failed.get(deliveryId) ?? [];
      if (runs.length === 0) throw new AppError("conflict", "None of its runs has failed.");
      for (const id of runs) await retryRun(context, { id });
    });
  },
});
