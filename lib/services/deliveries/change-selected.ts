import { AppError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { findFailedRunIds } from "#lib/db/runs/select-run-ids.ts";
import { selectedSchema } from "#lib/schema/field/selected.ts";
import { changeEach } from "#lib/services/bulk-jobs.ts";
import { service } from "#lib/services/frame/service.ts";
import { retryRun } from "#lib/services/runs.ts";
import { acceptDelivery } from "./accept-delivery.ts";
import { replayDelivery } from "./replay-delivery.ts";

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
