/** All providers, without `generic` (no verification) and `custom`, which have no scheme. */
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { providerIndex } from "./provider-index.ts";

const providers = providerIndex.toSorted((one, other) => rank(one) - rank(other));
const byId = new Map(providers.map((provider) => [provider.id, provider]));

/**
 * In display order: popular ones, then authentication methods, then all others, proven ones first.
 */
export function listProviders(): readonly Provider[] {
  return providers;
}

export function findProvider(id: string): Provider | undefined {
  return byId.get(id);
}

/** The form field that is the whole event of a hook's provider. Null: there is none. */
export function findPayloadField(providerId: string): string | null {
  return byId.get(providerId)?.payloadField ?? null;
}

function rank({ listing, proof }: Provider): number {
  if (listing === undefined) return proof.describedBy === "provider" ? 2000 : 3000;
  return (listing.group === "used" ? 0 : 1000) + listing.place;
}
