import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";

/**
 * For tests over HTTP: one provider of each kind of scheme, and every provider with code of its own.
 * Unit tests verify all providers with the same interpreter.
 */
export const oneOfEachScheme: readonly Provider[] = Map.groupBy(listProviders(), nameKind)
  .values()
  .map(([first]) => first)
  .filter((provider) => provider !== undefined)
  .toArray();

export const theOthers: readonly Provider[] = listProviders().filter(
  (provider) => !oneOfEachScheme.includes(provider),
);

/** The place of the signature, its computation, and whether it identifies the event. */
function nameKind({ id, scheme, eventId }: Provider): string {
  if (scheme.kind === "code") return id;
  const places = "signature" in scheme ? scheme.signature.sources.map(({ from }) => from) : [];
  const algorithm = "algorithm" in scheme ? scheme.algorithm : "";
  const isContent = eventId.some(({ from }) => from === "content");
  return [scheme.kind, ...places, algorithm, isContent].join(" ");
}
