/**
 * A verification as form fields: flat, and with every field always present, so that changing one's
 * mind loses nothing.
 */
export type SchemeDraft = {
  readonly kind: "mac" | "token" | "basic" | "bearer" | "publicKey" | "jwt";
  readonly hash: "sha256" | "sha1" | "sha384" | "sha512" | "md5";
  readonly algorithm: "ed25519" | "ecdsa-p256-sha256" | "rsa-sha256" | "rsa-sha384" | "rsa-sha512";
  readonly encoding: "hex" | "base64" | "base64url";
  /** Of the signature or the token. */
  readonly header: string;
  readonly format: "bare" | "prefixed" | "pairs";
  readonly prefix: string;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly signatureKey: string;
  readonly template: string;
  /** The source of `{id}`, if the template uses it. */
  readonly idHeader: string;
  readonly time: "none" | "header" | "part";
  /** A header's name, or a key inside the signature header. */
  readonly timeName: string;
  readonly unit: "s" | "ms" | "rfc3339" | "iso-zoneless" | "http-date";
  readonly toleranceSeconds: string;
  readonly decode: "utf8" | "base64" | "hex";
  readonly stripPrefix: string;
  /** Signed instead of the body, if the template contains `{digest}`. */
  readonly digestHeader: string;
  readonly digestHash: "sha256" | "sha384" | "sha512";
  readonly digestPrefix: string;
  readonly jwtAlgorithm:
    | "HS256"
    | "HS384"
    | "HS512"
    | "RS256"
    | "RS384"
    | "RS512"
    | "ES256"
    | "EdDSA";
  /** The body hash's claim in a token; empty: none. */
  readonly claim: string;
  readonly issuer: string;
  readonly audience: string;
  readonly maxAgeSeconds: string;
  readonly handshake: HandshakeDraft;
};

/** The first handshake. Further or conditional ones need JSON. */
export type HandshakeDraft = {
  readonly isAsked: boolean;
  readonly method: "GET" | "POST";
  readonly from: "query" | "header" | "body";
  readonly name: string;
  /** The query parameter with the verify token; empty: none. */
  readonly verifyToken: string;
  readonly reply: "text" | "json" | "header";
  readonly field: string;
  /** Adds an HMAC of the challenge in this field; empty: none. */
  readonly hmacField: string;
};

export const newScheme: SchemeDraft = {
  kind: "mac",
  hash: "sha256",
  algorithm: "ed25519",
  encoding: "hex",
  header: "x-signature",
  format: "bare",
  prefix: "",
  itemSeparator: ",",
  keySeparator: "=",
  signatureKey: "v1",
  template: "{body}",
  idHeader: "webhook-id",
  time: "none",
  timeName: "",
  unit: "s",
  toleranceSeconds: "300",
  decode: "utf8",
  stripPrefix: "",
  digestHeader: "digest",
  digestHash: "sha256",
  digestPrefix: "sha-256=",
  jwtAlgorithm: "HS256",
  claim: "",
  issuer: "",
  audience: "",
  maxAgeSeconds: "300",
  handshake: {
    isAsked: false,
    method: "GET",
    from: "query",
    name: "challenge",
    verifyToken: "",
    reply: "text",
    field: "challenge",
    hmacField: "",
  },
};

/** The verification as API input. Errors come back with the path of their field. */
export function toVerification(draft: SchemeDraft): Record<string, unknown> {
  const { isAsked } = draft.handshake;
  return { ...toProof(draft), ...(isAsked ? { handshakes: [toHandshake(draft.handshake)] } : {}) };
}

function toProof(draft: SchemeDraft): Record<string, unknown> {
  const { kind, header, prefix } = draft;
  switch (kind) {
    case "basic":
    case "bearer":
      return { kind };
    case "token":
      return {
        kind,
        source: { from: "header", name: header },
        ...(prefix === "" ? {} : { prefix }),
      };
    case "mac":
      return { kind, mac: "hmac", hash: draft.hash, ...toSigned(draft) };
    case "publicKey":
      return { kind, algorithm: draft.algorithm, ...toSigned(draft) };
    case "jwt":
      return { kind, ...toToken(draft) };
    default:
      return kind satisfies never;
  }
}

function toToken({
  header,
  prefix,
  jwtAlgorithm,
  claim,
  issuer,
  audience,
  maxAgeSeconds,
}: SchemeDraft) {
  return {
    source: { from: "header", name: header },
    ...(prefix === "" ? {} : { prefix }),
    algorithms: [jwtAlgorithm],
    ...(issuer === "" ? {} : { issuer }),
    ...(audience === "" ? {} : { audience }),
    ...(claim === ""
      ? { bodyNotSigned: true }
      : { bodyHash: { claim, hash: "sha256", encoding: "hex" } }),
    ...(maxAgeSeconds.trim() === "" ? {} : { maxAgeSeconds: Number(maxAgeSeconds) }),
  };
}

function toHandshake(draft: HandshakeDraft): Record<string, unknown> {
  const { method, from, name, verifyToken, reply, field, hmacField } = draft;
  const isKeyed = reply === "json" && hmacField !== "";
  const answer = {
    text: { text: "{challenge}" },
    header: { headers: { [name.toLowerCase()]: "{challenge}" } },
    json: { json: { [field]: "{challenge}", ...(isKeyed ? { [hmacField]: "{hmac}" } : {}) } },
  };
  return {
    method,
    challenge: from === "body" ? { from, path: name } : { from, name },
    ...(verifyToken === "" ? {} : { verifyToken: { from: "query", name: verifyToken } }),
    ...(isKeyed ? { hmac: { hash: "sha256", encoding: "hex" } } : {}),
    reply: answer[reply],
  };
}

function toSigned(draft: SchemeDraft) {
  const { encoding, template, decode, stripPrefix, time } = draft;
  const values = /\{id\}/.test(template)
    ? { values: { id: { from: "header", name: draft.idHeader } } }
    : {};
  return {
    encoding,
    signature: { sources: [{ from: "header", name: draft.header }], format: toFormat(draft) },
    signed: { template, ...values },
    ...(template.includes("{digest}") ? { bodyDigest: toDigest(draft) } : {}),
    secret: { decode, ...(stripPrefix === "" ? {} : { stripPrefix }) },
    ...(time === "none" ? {} : { timestamp: toTimestamp(draft) }),
  };
}

function toDigest({ digestHeader: header, digestHash: hash, digestPrefix: prefix }: SchemeDraft) {
  return { header, hash, encoding: "base64", ...(prefix === "" ? {} : { prefix }) };
}

function toFormat({ format, prefix, itemSeparator, keySeparator, signatureKey }: SchemeDraft) {
  switch (format) {
    case "bare":
      return { type: format };
    case "prefixed":
      return { type: format, prefix };
    case "pairs":
      return { type: format, itemSeparator, keySeparator, key: signatureKey };
    default:
      return format satisfies never;
  }
}

function toTimestamp({ time, timeName, unit, toleranceSeconds }: SchemeDraft) {
  const source =
    time === "part" ? { from: "part", key: timeName } : { from: "header", name: timeName };
  const seconds = Number(toleranceSeconds.trim() === "" ? Number.NaN : toleranceSeconds);
  return { source, unit, pastSeconds: seconds, futureSeconds: seconds };
}

/**
 * The form of a stored verification; null if the form can't express it and only JSON shows it
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

/** Ignores the order of keys. */
function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** Example headers of the provider, to compare with real ones. */
export function exampleHeaders(draft: SchemeDraft): readonly string[] {
  const { kind, header, prefix, time, timeName, template } = draft;
  if (kind === "basic") return ["authorization: Basic dXNlcjpwYXNzd29yZA=="];
  if (kind === "bearer") return ["authorization: Bearer <the secret>"];
  if (kind === "token") return [`${header}: ${prefix}<the secret>`];
  if (kind === "jwt") return [`${header}: ${prefix}eyJhbGciOi….eyJpYXQiOj….SflKxwRJ…`];
  const lines = [`${header}: ${exampleSignature(draft)}`];
  if (time === "header") lines.push(`${timeName || "…"}: ${exampleTimes[draft.unit]}`);
  if (template.includes("{digest}"))
    lines.push(`${draft.digestHeader}: ${draft.digestPrefix}X48E9qOokqqrvdts8nOJ…=`);
  if (template.includes("{id}")) lines.push(`${draft.idHeader}: msg_2b…`);
  return lines;
}

const exampleTimes: Readonly<Record<SchemeDraft["unit"], string>> = {
  s: "1795000000",
  ms: "1795000000000",
  rfc3339: "2026-11-18T11:06:40Z",
  "iso-zoneless": "2026-11-18T11:06:40",
  "http-date": "Wed, 18 Nov 2026 11:06:40 GMT",
};

function exampleSignature(draft: SchemeDraft): string {
  const { encoding, format, prefix, itemSeparator, keySeparator, signatureKey, time, timeName } =
    draft;
  const signature = encoding === "hex" ? "5257a869e7ec…" : "UleoaefsXV0…=";
  if (format === "bare") return signature;
  if (format === "prefixed") return `${prefix}${signature}`;
  const timePart =
    time === "part" ? `${timeName || "t"}${keySeparator}1795000000${itemSeparator}` : "";
  return `${timePart}${signatureKey}${keySeparator}${signature}`;
}
