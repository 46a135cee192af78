import { findDeliveryAnswer } from "#lib/db/answers/find-answers.ts";
import { deleteDelivery } from "#lib/db/deliveries/delete-delivery.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { replayDelivery } from "#lib/db/deliveries/replay-delivery.ts";
import { listRunsOfDelivery, readRuns } from "#lib/db/runs/list-runs.ts";
import { deliveryQuerySchema, replaySchema } from "#lib/schema/delivery.ts";
import { showDelivery, showDeliverySummary } from "#lib/web/deliveries/delivery-view.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { showRun } from "#lib/web/runs/run-view.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const getDeliveries = endpoint({
  scope: "deliveries:read",
  query: deliveryQuerySchema,
  handle: async ({ context: { db }, accountId, query }) =>
    showPage(await listDeliveries(db, accountId, query, query), showDeliverySummary),
});

export const getOneDelivery = endpoint({
  scope: "deliveries:read",
  handle: async ({ context: { db }, accountId, id }) => {
    const delivery = await getDelivery(db, accountId, id);
    const [runs, answer] = await Promise.all([
      listRunsOfDelivery(db, accountId, delivery.id),
      findDeliveryAnswer(db, accountId, delivery.id),
    ]);
    return showDelivery(delivery, runs, answer);
  },
});

export const removeDelivery = endpoint({
  scope: "deliveries:write",
  status: 204,
  handle: ({ context: { db }, accountId, id }) => deleteDelivery(db, accountId, id),
});

export const postReplay = endpoint({
  scope: "deliveries:write",
  body: replaySchema,
  status: 202,
  handle: async ({ context: { db }, accountId, id, body }) => {
    const ids = await replayDelivery(db, accountId, id, body);
    const runs = await readRuns(db, accountId, { ids, limit: ids.length });
    return { runs: runs.map(showRun) };
  },
});
