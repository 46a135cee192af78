/** A verification as the guided form holds it: flat, and every field always there, so that changing one's mind loses nothing. */
export type SchemeDraft = {
  readonly kind: "mac" | "token" | "basic" | "bearer" | "publicKey";
  readonly hash: "sha256" | "sha1" | "sha512" | "md5";
  readonly algorithm: "ed25519" | "ecdsa-p256-sha256" | "rsa-sha256";
  readonly encoding: "hex" | "base64" | "base64url";
  /** Of the signature, or of the token. */
  readonly header: string;
  readonly format: "bare" | "prefixed" | "pairs";
  readonly prefix: string;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly signatureKey: string;
  readonly template: string;
  /** Where `{id}` comes from, if the template has it. */
  readonly idHeader: string;
  readonly time: "none" | "header" | "part";
  /** A header's name, or a key inside the signature header. */
  readonly timeName: string;
  readonly unit: "s" | "ms" | "rfc3339" | "iso-zoneless" | "http-date";
  readonly toleranceSeconds: string;
  readonly decode: "utf8" | "base64" | "hex";
  readonly stripPrefix: string;
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
};

/** The verification as the API takes it. What is not right in it comes back with the path of its field. */
export function toVerification(draft: SchemeDraft): Record<string, unknown> {
  const { kind, header, prefix } = draft;
  switch (kind) {
    case "basic":
    case "bearer":
      return { kind };
    case "token":
      return { kind, source: { from: "header", name: header }, ...(prefix === "" ? {} : { prefix }) };
    case "mac":
      return { kind, mac: "hmac", hash: draft.hash, ...toSigned(draft) };
    case "publicKey":
      return { kind, algorithm: draft.algorithm, ...toSigned(draft) };
    default:
      return kind satisfies never;
  }
}

function toSigned(draft: SchemeDraft) {
  const { encoding, template, decode, stripPrefix, time } = draft;
  const values = /\{id\}/.test(template) ? { values: { id: { from: "header", name: draft.idHeader } } } : {};
  return {
    encoding,
    signature: { sources: [{ from: "header", name: draft.header }], format: toFormat(draft) },
    signed: { template, ...values },
    secret: { decode, ...(stripPrefix === "" ? {} : { stripPrefix }) },
    ...(time === "none" ? {} : { timestamp: toTimestamp(draft) }),
  };
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
  const source = time === "part" ? { from: "part", key: timeName } : { from: "header", name: timeName };
  const seconds = Number(toleranceSeconds.trim() === "" ? Number.NaN : toleranceSeconds);
  return { source, unit, pastSeconds: seconds, futureSeconds: seconds };
}

/** The form for a stored verification; null where it says more than the form can, and only its JSON shows it whole. */
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
  return dropMissing({
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
    toleranceSeconds: scheme.timestamp === undefined ? undefined : String(scheme.timestamp.pastSeconds),
    decode: scheme.secret?.decode,
    stripPrefix: scheme.secret?.stripPrefix,
  });
}

function dropMissing(fields: Record<string, unknown>): Partial<SchemeDraft> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Without regard to the order of keys. */
function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** What the sender's headers would look like, so that they can be held against real ones. */
export function exampleHeaders(draft: SchemeDraft): readonly string[] {
  const { kind, header, prefix, time, timeName, template } = draft;
  if (kind === "basic") return ["authorization: Basic dXNlcjpwYXNzd29yZA=="];
  if (kind === "bearer") return ["authorization: Bearer <the secret>"];
  if (kind === "token") return [`${header}: ${prefix}<the secret>`];
  const lines = [`${header}: ${exampleSignature(draft)}`];
  if (time === "header") lines.push(`${timeName || "…"}: ${exampleTimes[draft.unit]}`);
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
  const { encoding, format, prefix, itemSeparator, keySeparator, signatureKey, time, timeName } = draft;
  const signature = encoding === "hex" ? "5257a869e7ec…" : "UleoaefsXV0…=";
  if (format === "bare") return signature;
  if (format === "prefixed") return `${prefix}${signature}`;
  const timePart = time === "part" ? `${timeName || "t"}${keySeparator}1795000000${itemSeparator}` : "";
  return `${timePart}${signatureKey}${keySeparator}${signature}`;
}
