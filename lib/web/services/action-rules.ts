import type { ActionRules } from "#lib/db/actions/action-work.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

/** What saving an action needs, for the user who saves it. */
export function actionRules({ sealer, env }: ServerContext, author: string): ActionRules {
  return { sealer, allowList: env.egressAllow, author };
}
