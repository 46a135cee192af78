import type { SubscriptionRules } from "#lib/db/subscriptions/subscriptions.ts";
import type { ServiceContext } from "#lib/services/service.ts";

/** Which receiver URLs the actor may enter, and whether they have to answer the challenge. */
export function subscriptionRules({ sealer, env, actor }: ServiceContext): SubscriptionRules {
  const isPortal = actor.type === "portal";
  return { sealer, isPortal, allowList: isPortal ? env.portalEgressAllow : env.egressAllow };
}
