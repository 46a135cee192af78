import { type PendingVerification, verifyPending } from "#lib/db/deliveries/verify-pending.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { withEvaluationParts } from "./evaluation-parts.ts";

/** Verifies and runs what a hook kept while it waited for its secret. The page's button and the API both come here. */
export async function verifyHookPending(
  context: ServerContext,
  accountId: string,
  hookId: string,
): Promise<PendingVerification> {
  return await withEvaluationParts(context, (parts) =>
    verifyPending(context.db, accountId, hookId, parts),
  );
}
