import { type HandshakeDraft, newScheme, type SchemeDraft } from "./scheme-draft.ts";
import { toVerification } from "./to-verification.ts";

/**
 * The form of a stored verification. Null if the form can't express it and only JSON shows it
 * completely.
 */
export function toSchemeDraft(stored: unknown): SchemeDraft | null {
  const draft = { ...newScheme, ...readScheme(stored) };
  return sameJson(toVerification(draft), stored) ? draft : null;
}

type Loose = { readonly [key: string]: Loose | undefined };

function readScheme(stored: unknown): Partial<SchemeDraft> {
  const scheme = (stored ?? {}) as Loose;
  const source = scheme.source ?? scheme.signature?.sources?.[0];
  const { format } = scheme.signature ?? {};
  const timeSource = scheme.timestamp?.source;
  return dropMissing<SchemeDraft>({
    kind: scheme.kind,
    hash: scheme.hash,
    algorithm: scheme.algorithm,
    encoding: scheme.encoding,
    header: source?.name,
    format: format?.type,
    prefix: format?.prefix ?? scheme.prefix,
    itemSeparator: format?.itemSeparator,
    keySeparator: format?.keySeparator,
    signatureKey: format?.key,
    template: scheme.signed?.template,
    idHeader: scheme.signed?.values?.id?.name,
    time: timeSource?.from,
    timeName: timeSource?.name ?? timeSource?.key,
    unit: scheme.timestamp?.unit,
    toleranceSeconds:
      scheme.timestamp === undefined ? undefined : String(scheme.timestamp.pastSeconds),
    decode: scheme.secret?.decode,
    stripPrefix: scheme.secret?.stripPrefix,
    digestHeader: scheme.bodyDigest?.header,
    digestHash: scheme.bodyDigest?.hash,
    digestPrefix: scheme.bodyDigest === undefined ? undefined : (scheme.bodyDigest.prefix ?? ""),
    jwtAlgorithm: scheme.algorithms?.[0],
    claim: scheme.bodyHash?.claim,
    issuer: scheme.issuer,
    audience: scheme.audience,
    maxAgeSeconds:
      scheme.kind === undefined || String(scheme.kind) !== "jwt"
        ? undefined
        : String(scheme.maxAgeSeconds ?? ""),
    handshake:
      scheme.handshakes?.[0] === undefined ? undefined : readHandshake(scheme.handshakes[0]),
  });
}

function readHandshake(stored: Loose): HandshakeDraft {
  const { reply = {} } = stored;
  const fields = Object.entries(reply.json ?? {}).map(
    ([name, text]) => [name, String(text)] as const,
  );
  const fieldOf = (wanted: string) => fields.find(([, text]) => text === wanted)?.[0];
  const read = dropMissing<HandshakeDraft>({
    isAsked: true,
    method: stored.method,
    from: stored.challenge?.from,
    name: stored.challenge?.name ?? stored.challenge?.path,
    verifyToken: stored.verifyToken?.name,
    reply: reply.json !== undefined ? "json" : reply.headers !== undefined ? "header" : "text",
    field: fieldOf("{challenge}"),
    hmacField: fieldOf("{hmac}"),
  });
  return { ...newScheme.handshake, ...read };
}

function dropMissing<Draft extends object>(fields: object): Partial<Draft> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Draft>;
}

/** Compares without regard to the order of keys. */
function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
