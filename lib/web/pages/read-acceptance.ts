import { examineDelivery } from "#lib/evaluate/stored/accept-delivery.ts";
import { withEvaluationParts } from "#lib/services/evaluation/evaluation-parts.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

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
