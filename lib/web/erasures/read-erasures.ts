import { isAllowed } from "#lib/schema/account/permissions.ts";
import { listErasures } from "#lib/services/erasures.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { erasureView } from "./rest.ts";

const shown = "20";

/** The newest erasures as their page shows them. Null: the person may not see them. */
export async function readErasures(context: ServiceContext) {
  const { actor } = context;
  if (actor.type !== "user" || !isAllowed(actor.role, "erasures:read")) return null;
  const { items } = await listErasures(context, { limit: shown });
  return items.map((erasure) => erasureView.show(erasure, context));
}
