import { examineDelivery } from "#lib/catch/stored/accept-delivery.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { withEvaluationParts } from "#lib/web/services/evaluation-parts.ts";

/** Whether a rejected delivery would be accepted now. Null: it isn't rejected. */
export async function readAcceptance(
  context: ServerContext,
  accountId: string,
  deliveryId: string,
) {
  return await withEvaluationParts(context, (parts) =>
    examineDelivery(context.db, accountId, deliveryId, parts),
  );
}
