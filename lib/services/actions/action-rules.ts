import type { ActionRules } from "#lib/db/actions/action-work.ts";
import type { ServiceParts } from "#lib/services/service-parts.ts";

/** What saving an action needs, for the user who saves it. */
export function actionRules({ sealer, env }: ServiceParts, author: string): ActionRules {
  return { sealer, allowList: env.egressAllow, author };
}
