import type { HandshakeDraft, SchemeDraft } from "./scheme-draft.ts";

/** The verification as API input. Errors are returned with the path of their field. */
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
  const response = {
    text: { text: "{challenge}" },
    header: { headers: { [name.toLowerCase()]: "{challenge}" } },
    json: { json: { [field]: "{challenge}", ...(isKeyed ? { [hmacField]: "{hmac}" } : {}) } },
  };
  return {
    method,
    challenge: from === "body" ? { from, path: name } : { from, name },
    ...(verifyToken === "" ? {} : { verifyToken: { from: "query", name: verifyToken } }),
    ...(isKeyed ? { hmac: { hash: "sha256", encoding: "hex" } } : {}),
    reply: response[reply],
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
