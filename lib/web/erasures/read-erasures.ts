import { isAllowed } from "#lib/schema/account/permissions.ts";
import { listErasureRules, listErasures } from "#lib/services/erasures.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { erasureRuleView, erasureView } from "./rest.ts";

const shown = "20";
const shownRules = "100";

/** The newest erasures as their page shows them. Null: the person may not see them. */
export async function readErasures(context: ServiceContext) {
  const { actor } = context;
  if (actor.type !== "user" || !isAllowed(actor.role, "erasures:read")) return null;
  const { items } = await listErasures(context, { limit: shown });
  return items.map((erasure) => erasureView.show(erasure, context));
}

/** The newest rules for later arrivals as the same page shows them. Null: the person may not see them. */
export async function readErasureRules(context: ServiceContext) {
  const { actor } = context;
  if (actor.type !== "user" || !isAllowed(actor.role, "erasures:read")) return null;
  const { items, nextCursor } = await listErasureRules(context, { limit: shownRules });
  return {
    rules: items.map((rule) => erasureRuleView.show(rule, context)),
    hasMore: nextCursor !== null,
  };
}
