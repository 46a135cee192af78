import { createAcceptJob } from "#lib/db/deliveries/accept-jobs.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { listRunsOfDelivery } from "#lib/db/runs/list-runs.ts";
import { acceptDelivery } from "#lib/evaluate/stored/accept-delivery.ts";
import { bulkAcceptSchema } from "#lib/schema/delivery.ts";
import { withEvaluationParts } from "#lib/services/evaluation/evaluation-parts.ts";
import { showBulkJob } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { showDelivery } from "#lib/web/deliveries/delivery-view.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";

/** Responds with the delivery as it is then: accepted, a duplicate, or a batch. */
export const postAccept = endpoint({
  scope: "deliveries:write",
  handle: async ({ context, accountId, id }) => {
    const { db } = context;
    await withEvaluationParts(context, (parts) => acceptDelivery(db, accountId, id, parts));
    const delivery = await getDelivery(db, accountId, id);
    return showDelivery(delivery, await listRunsOfDelivery(db, accountId, delivery.id));
  },
});

export const postBulkAccept = endpoint({
  scope: "deliveries:write",
  body: bulkAcceptSchema,
  status: 202,
  handle: async ({ context: { db }, accountId, body: { filter } }) => {
    const { status: _rejected, ...rest } = filter;
    return showBulkJob(await createAcceptJob(db, accountId, rest));
  },
});
