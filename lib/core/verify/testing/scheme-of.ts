import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";

/** The scheme of a provider, which must exist. For tests. */
export function schemeOf(id: string): Scheme {
  const provider = findProvider(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  return provider.scheme;
}
