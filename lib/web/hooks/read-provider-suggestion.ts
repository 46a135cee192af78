import { toDistinctHeaders } from "#lib/core/build-request/delivery-context.ts";
import { type SuggestedProvider, suggestProvider } from "#lib/core/recognize/suggest-provider.ts";
import { sampleDeliveries } from "#lib/db/deliveries/sample-deliveries.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

const samples = { count: 3, maxBodyBytes: 65_536 };

/**
 * The provider that a hook without one seems to receive from, judging by its latest deliveries;
 * null if unknown.
 */
export async function readProviderSuggestion(
  { db }: ServiceContext,
  accountId: string,
  hook: { readonly id: string; readonly provider: string },
): Promise<SuggestedProvider | null> {
  if (hook.provider !== "generic") return null;
  const found = await sampleDeliveries(db, accountId, hook.id, samples);
  for (const { headersJson, body } of found) {
    const suggestion = suggestProvider({
      headers: toDistinctHeaders(JSON.parse(headersJson)),
      body,
    });
    if (suggestion !== null) return suggestion;
  }
  return null;
}
