import type { Scheme } from "#lib/core/verify/scheme.ts";

/** The headers that a scheme's signature or token can be in, lower-case. Takes what storage gives. */
export function listProofHeaders(scheme: unknown): readonly string[] {
  if (typeof scheme !== "object" || scheme === null) return [];
  const known = scheme as Scheme;
  if (known.kind === "basic" || known.kind === "bearer") return ["authorization"];
  // Code keeps to itself what it reads.
  if (known.kind === "code") return [];
  const sources = known.kind === "token" ? [known.source] : known.signature.sources;
  return sources.flatMap((source) => (source.from === "header" ? [source.name] : []));
}
