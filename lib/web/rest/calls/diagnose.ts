import { diagnoseDelivery } from "#lib/services/deliveries/diagnose-delivery.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";

/**
 * Changes nothing. A POST because it is expensive, and its result depends on the hook's current
 * state.
 */
export const postDiagnose = endpoint({
  scope: "deliveries:read",
  handle: async ({ context, accountId, id }) =>
    (await diagnoseDelivery(context, accountId, id)).diagnosis,
});
