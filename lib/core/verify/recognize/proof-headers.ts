/** The place of a provider's signature or token. */
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { isCodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { TokenSource } from "#lib/schema/receive/verification.ts";

/**
 * Lowercase names. Accepts a scheme as stored. Empty if the signature isn't in a header, or the
 * scheme is unknown.
 */
export function listProofHeaders({ scheme }: { readonly scheme: unknown }): readonly string[] {
  if (isCodeScheme(scheme)) return scheme.proofHeaders;
  if (typeof scheme !== "object" || scheme === null) return [];
  const { kind } = scheme as Scheme;
  if (kind === "basic" || kind === "bearer") return ["authorization"];
  return listProofSources(scheme as Scheme).flatMap((source) =>
    source.from === "header" ? [source.name] : [],
  );
}

export function listProofSources(scheme: Provider["scheme"]): readonly TokenSource[] {
  if ("signature" in scheme) return scheme.signature.sources;
  return "source" in scheme ? [scheme.source] : [];
}
