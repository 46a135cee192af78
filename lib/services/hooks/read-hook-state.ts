import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import {
  type SuggestedProvider,
  suggestProvider,
} from "#lib/core/verify/recognize/suggest-provider.ts";
import { countRateLimited } from "#lib/db/deliveries/rejected-counts.ts";
import { sampleDeliveries } from "#lib/db/deliveries/sample-deliveries.ts";
import { countPendingDeliveries } from "#lib/db/hooks/hook-contents.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { byId } from "#lib/schema/field/common.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { countDifferingDuplicates } from "./count-duplicates.ts";

/** What the deliveries of a hook say about its settings. Throws `not_found`. */
export const readHookState = service({
  permission: "deliveries:read",
  input: byId,
  run: async (context, { id }) => {
    const { db, actor } = context;
    const hook = await getHook(db, actor.accountId, id);
    const [pending, rateLimited, differingDuplicates, suggestion] = await Promise.all([
      countPendingDeliveries(db, actor.accountId, hook.id),
      countRateLimited(db, actor.accountId, hook.id),
      countDifferingDuplicates(db, hook),
      suggestByDeliveries(context, hook),
    ]);
    return {
      pending,
      /** The count within 24 hours. */
      rateLimited,
      /** Recent duplicates that say something else than the delivery that they repeat. */
      differingDuplicates,
      /** The provider that a hook without one seems to receive from. Null: unknown. */
      suggestion,
    };
  },
});

const samples = { count: 3, maxBodyBytes: 65_536 };

async function suggestByDeliveries(
  { db, actor }: ServiceContext,
  hook: HookRecord,
): Promise<SuggestedProvider | null> {
  if (hook.provider !== "generic") return null;
  const found = await sampleDeliveries(db, actor.accountId, hook.id, samples);
  for (const { headersJson, body } of found) {
    const headers = toDistinctHeaders(JSON.parse(headersJson));
    const suggestion = suggestProvider({ headers, body });
    if (suggestion !== null) return suggestion;
  }
  return null;
}
