import { getDelivery } from "#lib/db/deliveries.ts";
import { listDeliveries } from "#lib/db/list-deliveries.ts";
import { listRunsOfDelivery, readRuns } from "#lib/db/list-runs.ts";
import { replayDelivery } from "#lib/db/replay-delivery.ts";
import { deliveryQuerySchema, replaySchema } from "#lib/schema/delivery.ts";
import { endpoint } from "../api-route.ts";
import { showDelivery, showDeliverySummary } from "./show-delivery.ts";
import { showPage } from "./show-page.ts";
import { showRun } from "./show-run.ts";

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
    return showDelivery(delivery, await listRunsOfDelivery(db, accountId, delivery.id));
  },
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
