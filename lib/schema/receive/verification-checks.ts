/** Checks across the fields of a custom verification. */
import type { z } from "zod";
import {
  brokenRule,
  type FieldErrorCode,
  type FieldErrorDetails,
} from "#lib/schema/field/command-result.ts";

const bodyHashes = ["sha256(body)", "sha384(body)", "sha512(body)"];

const builtIn = [
  "body",
  ...bodyHashes,
  "timestamp",
  "url",
  "decoded_url",
  "path",
  "method",
  "form",
  "digest",
  "secret",
];

/**
 * `"v0:{timestamp}"` → `["v0:", {variable: "timestamp"}]`; null if a brace is left over. A variable is
 * a name, or a hash of the body such as `sha256(body)`.
 */
export function splitTemplate(template: string): (string | { readonly variable: string })[] | null {
  const pieces = template
    .split(/(\{[a-z][a-z0-9_]*(?:\(body\))?\})/)
    .filter((piece) => piece !== "");
  const isVariable = (piece: string) => /^\{[a-z][a-z0-9_]*(?:\(body\))?\}$/.test(piece);
  if (pieces.some((piece) => !isVariable(piece) && /[{}]/.test(piece))) return null;
  return pieces.map((piece) => (isVariable(piece) ? { variable: piece.slice(1, -1) } : piece));
}

type Reject = (
  path: PropertyKey[],
  message: string,
  code?: FieldErrorCode,
  details?: FieldErrorDetails,
) => void;
type Source = { from: string; key?: string };
type Format = {
  type: string;
  itemSeparator?: string;
  groupSeparator?: string | undefined;
  keySeparator?: string;
  key?: string;
};
/** The common part of all schemes with a signed text. `mac` is missing if a public key verifies. */
type Signed = {
  mac?: "hmac" | "digest";
  signature: { format: Format };
  signed: {
    template: string;
    values?: Record<string, Source> | undefined;
    bodyNotSigned?: boolean | undefined;
    gunzip?: true | undefined;
  };
  bodyDigest?: object | undefined;
  secret: {
    decode: string;
    stripPrefix?: string | undefined;
    prefixRequired?: boolean | undefined;
    orText?: true | undefined;
  };
  timestamp?: { source: Source } | undefined;
};

/** Checks across fields: template, values, timestamp, and format must be consistent. */
export function checkSigned(scheme: Signed, context: z.RefinementCtx): void {
  const reject: Reject = (path, message, code = "invalid_value", details = {}) =>
    context.addIssue({ code: "custom", path, ...brokenRule(code, message, details) });
  const pieces = splitTemplate(scheme.signed.template);
  if (pieces === null) {
    reject(["signed", "template"], "has a brace that is not part of a name such as {body}");
    return;
  }
  const used = new Set(
    pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.variable])),
  );
  checkTemplate(scheme, used, reject);
  checkValues(scheme, used, reject);
  checkTimestamp(scheme, used, reject);
  checkFormat(scheme.signature.format, reject);
  const { decode, stripPrefix, prefixRequired, orText } = scheme.secret;
  if (prefixRequired === true && stripPrefix === undefined) {
    reject(["secret", "prefixRequired"], "needs stripPrefix", "conflict");
  }
  if (orText === true && (scheme.mac === undefined || decode === "utf8")) {
    reject(
      ["secret", "orText"],
      'needs a MAC, and decode "base64", "base64url" or "hex"',
      "conflict",
    );
  }
  if (scheme.mac === undefined && decode === "utf8") {
    reject(
      ["secret", "decode"],
      'must be "base64", "base64url" or "hex", because a public key is binary',
    );
  }
}

function checkTemplate(
  { mac, signed, bodyDigest }: Signed,
  used: ReadonlySet<string>,
  reject: Reject,
): void {
  const at = ["signed", "template"];
  const readsBody = ["body", ...bodyHashes].some((name) => used.has(name));
  const isBodySigned = readsBody || used.has("form") || used.has("digest");
  if (!isBodySigned && signed.bodyNotSigned !== true) {
    reject(
      at,
      "must contain {body}, or {digest} with bodyDigest. If the " +
        "provider doesn't sign the body, set bodyNotSigned to true",
    );
  }
  if (isBodySigned && signed.bodyNotSigned === true) {
    reject(
      ["signed", "bodyNotSigned"],
      "can't be combined with {body}, its hash, {form}, or {digest} in the template",
      "conflict",
    );
  }
  if (used.has("digest") && bodyDigest === undefined)
    reject(["bodyDigest"], "must say where {digest} comes from", "required");
  if (bodyDigest !== undefined && !used.has("digest"))
    reject(at, "must contain {digest}: an unsigned hash of the body proves nothing");
  if (signed.gunzip === true && !readsBody)
    reject(["signed", "gunzip"], "requires {body} in the template", "conflict");
  const ofRequest = [...used].filter(
    (name) => !["secret", "url", "decoded_url", "path", "method"].includes(name),
  );
  if (ofRequest.length === 0) reject(at, "must contain something that differs between requests");
  if (mac === "digest" && !used.has("secret"))
    reject(at, "must contain {secret}, because mac is digest");
  if (mac !== "digest" && used.has("secret"))
    reject(at, "{secret} is only for a digest. An hmac uses it as its key");
}

function checkValues(
  { signed, signature }: Signed,
  used: ReadonlySet<string>,
  reject: Reject,
): void {
  const values = signed.values ?? {};
  for (const name of used) {
    if (builtIn.includes(name) || Object.hasOwn(values, name)) continue;
    reject(
      ["signed", "template"],
      `{${name}} is not known: use {${builtIn.join("}, {")}} or add "${name}" to values`,
      "unknown_value",
      { name },
    );
  }
  for (const [name, source] of Object.entries(values)) {
    const path = ["signed", "values", name];
    if (builtIn.includes(name))
      reject(path, `"${name}" is a built-in name`, "not_allowed", { name });
    else if (!used.has(name))
      reject(path, `{${name}} does not occur in the template`, "conflict", { name });
    checkPart(source, signature.format, path, reject);
  }
}

function checkTimestamp(
  { timestamp, signed, signature }: Signed,
  used: ReadonlySet<string>,
  reject: Reject,
): void {
  if (timestamp === undefined) {
    if (used.has("timestamp"))
      reject(["timestamp"], "must say where {timestamp} comes from", "required");
    return;
  }
  const { source } = timestamp;
  const isInSignedBody =
    (source.from === "body" || source.from === "form") && signed.bodyNotSigned !== true;
  if (!used.has("timestamp") && !isInSignedBody) {
    reject(
      ["timestamp"],
      "is not signed, so it proves nothing: add {timestamp} to the template or leave it out",
      "conflict",
    );
  }
  checkPart(source, signature.format, ["timestamp", "source"], reject);
}

function checkPart(source: Source, format: Format, path: PropertyKey[], reject: Reject): void {
  if (source.from !== "part") return;
  if (format.type !== "pairs")
    reject(path, '"part" needs a signature of the format "pairs"', "conflict");
  else if (source.key === format.key)
    reject([...path, "key"], "is the key of the signature itself", "conflict");
}

function checkFormat(format: Format, reject: Reject): void {
  const { itemSeparator, groupSeparator, keySeparator, key } = format;
  if (itemSeparator === undefined || keySeparator === undefined || key === undefined) return;
  const path = ["signature", "format"];
  if (itemSeparator === keySeparator)
    reject([...path, "keySeparator"], "must differ from itemSeparator", "conflict");
  if (key.includes(itemSeparator) || key.includes(keySeparator)) {
    reject([...path, "key"], "must not contain a separator", "conflict");
  }
  if (groupSeparator === itemSeparator || groupSeparator === keySeparator) {
    reject([...path, "groupSeparator"], "must differ from the other separators", "conflict");
  }
}
