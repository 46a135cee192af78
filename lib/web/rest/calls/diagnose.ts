import { endpoint } from "#lib/web/rest/api-route.ts";
import { diagnoseDelivery } from "#lib/web/services/diagnose-delivery.ts";

/** Changes nothing; a POST because it works, and its answer depends on the hook as it is now. */
export const postDiagnose = endpoint({
  scope: "deliveries:read",
  handle: async ({ context, accountId, id }) =>
    (await diagnoseDelivery(context, accountId, id)).diagnosis,
});
