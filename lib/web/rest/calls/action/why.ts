import { z } from "zod";
import { explainDelivery } from "#lib/services/deliveries/explain-delivery.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";

/** One action's, or those of all actions of the hook. */
export const getWhy = endpoint({
  scope: "deliveries:read",
  query: z.strictObject({ actionId: z.string().max(64).optional() }),
  handle: async ({ context, accountId, id, query: { actionId } }) => {
    const found = await explainDelivery(context, accountId, id, actionId);
    const shown = found.map(({ actionId: of, runId, code, sentence }) => ({
      actionId: of,
      runId,
      code,
      sentence,
    }));
    return actionId === undefined ? { data: shown } : shown[0];
  },
});
