import { examineDelivery } from "#lib/catch/stored/accept-delivery.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { withEvaluationParts } from "#lib/web/services/evaluation-parts.ts";

/** Whether a rejected delivery would be accepted now. Null: it isn't rejected. */
export async function readAcceptance(accountId: string, deliveryId: string) {
  const context = serverContext();
  return await withEvaluationParts(context, (parts) =>
    examineDelivery(context.db, accountId, deliveryId, parts),
  );
}
