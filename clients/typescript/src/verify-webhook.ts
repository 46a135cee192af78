/** Why a call was rejected. */
export type VerificationFailure =
  /** A signature header is missing or can't be read. */
  | "no_header"
  /** Signed too long ago, or a receiver whose clock is ahead. */
  | "too_old"
  /** Signed in the future: a clock is wrong. */
  | "too_new"
  /** No signature is by one of the secrets, over these bytes. */
  | "no_match"
  /** `body` is a parsed object. Use the raw body: parsing and writing JSON again changes its bytes. */
  | "not_bytes";

/** A webhook that Catchment didn't send, or one that was changed, delayed, or repeated. */
export class WebhookVerificationError extends Error {
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.reason = reason;
  }
}

/** The content of a verified call. */
export type VerifiedEvent = {
  /** The same on every attempt: use it to process an event once. */
  readonly id: string;
  readonly type: string;
  /** When the event happened, in ISO 8601. */
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the publisher's
  readonly data: any;
};

export type VerifyWebhookInput = {
  /** The bytes as they arrived. Text must be the body read as UTF-8, unchanged. */
  readonly body: Uint8Array | ArrayBuffer | string;
  /** Of a `Request`, or an object as Node, Express, and most frameworks have it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * All secrets that are valid now: `whsec_…`, or `whpk_…` for a key pair. While one is being
   * replaced, there are two.
   */
  readonly secrets: string | readonly string[];
  /** A header such as `Acme-Signature`, if the sender has a name of its own. */
  readonly signatureHeader?: string;
  /** How far the time of signing may be off, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number;
};

type Call = {
  readonly seconds: number;
  /** The signed text before the body. */
  readonly prefix: string;
  readonly signatures: readonly Signature[];
};
type Signature = { readonly kind: "hmac" | "ed25519"; readonly bytes: Uint8Array<ArrayBuffer> };
type Key = { readonly kind: Signature["kind"]; readonly bytes: Uint8Array<ArrayBuffer> };

const defaultToleranceSeconds = 300;
/** More are never sent: an account has ten secrets at most for a subscription. */
const maxSignatures = 50;

/**
 * Verifies a call that Catchment made, by the headers of Standard Webhooks or by the one header
 * that `signatureHeader` names, and returns its event. Throws a `WebhookVerificationError` with a
 * `reason`. Throws a `TypeError` for a secret that isn't one, and a `SyntaxError` if the body was
 * signed but isn't JSON.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<VerifiedEvent> {
  const { toleranceSeconds = defaultToleranceSeconds, now = Date.now() } = input;
  const keys = [input.secrets].flat().map(readKey);
  if (keys.length === 0) throw new TypeError("secrets is empty, so nothing could be verified.");
  const body = readBody(input.body);
  const call = readCall(input);
  const age = now / 1_000 - call.seconds;
  if (age > toleranceSeconds)
    throw new WebhookVerificationError("too_old", `It was signed ${Math.round(age)} s ago.`);
  if (age < -toleranceSeconds)
    throw new WebhookVerificationError(
      "too_new",
      `It was signed ${Math.round(-age)} s in the future. Check the clock of this machine.`,
    );
  const signed = concat(new TextEncoder().encode(call.prefix), body);
  if (!(await matchesAny(call.signatures, keys, signed)))
    throw new WebhookVerificationError(
      "no_match",
      "No signature matches. Check the secret, and that the body is as it arrived.",
    );
  return JSON.parse(new TextDecoder().decode(body));
}

async function matchesAny(
  signatures: readonly Signature[],
  keys: readonly Key[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const { kind, bytes } of keys) {
    const key = await importKey(kind, bytes);
    for (const signature of signatures) {
      // verify() compares in constant time.
      const name = kind === "hmac" ? "HMAC" : "Ed25519";
      if (
        signature.kind === kind &&
        (await crypto.subtle.verify(name, key, signature.bytes, signed))
      )
        return true;
    }
  }
  return false;
}

function importKey(kind: Key["kind"], bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const algorithm = kind === "hmac" ? { name: "HMAC", hash: "SHA-256" } : { name: "Ed25519" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
}

function readKey(secret: string): Key {
  const [, prefix, text = ""] = /^(whsec_|whpk_)?(.*)$/s.exec(secret.trim()) ?? [];
  const bytes = decodeBase64(text);
  const isPublic = prefix === "whpk_";
  if (bytes === null || bytes.length === 0 || (isPublic && bytes.length !== 32))
    throw new TypeError("A secret is whsec_ or whpk_ and base64, as the portal shows it.");
  return { kind: isPublic ? "ed25519" : "hmac", bytes };
}

function readBody(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  throw new WebhookVerificationError(
    "not_bytes",
    "body is neither bytes nor text. Use the raw body, before anything parses it.",
  );
}

function readCall({ headers, signatureHeader }: VerifyWebhookInput): Call {
  if (signatureHeader !== undefined) return readTimed(need(headers, signatureHeader));
  const id = need(headers, "webhook-id");
  const timestamp = need(headers, "webhook-timestamp");
  const texts = need(headers, "webhook-signature").split(" ");
  return {
    seconds: readSeconds(timestamp),
    prefix: `${id}.${timestamp}.`,
    signatures: texts.slice(0, maxSignatures).flatMap((text) => {
      const [, version, base64 = ""] = /^(v1a?),(.+)$/.exec(text) ?? [];
      return toSignature(version === "v1a" ? "ed25519" : "hmac", decodeBase64(base64));
    }),
  };
}

/** `t=<seconds>,v1=<hex>`, with one `v1` for each secret. */
function readTimed(text: string): Call {
  const [, timestamp = "", rest = ""] = /^t=([0-9]{1,12}),(.+)$/.exec(text) ?? [];
  return {
    seconds: readSeconds(timestamp),
    prefix: `${timestamp}.`,
    signatures: rest
      .split(",")
      .slice(0, maxSignatures)
      .flatMap((part) => {
        const [, hex = ""] = /^v1=((?:[0-9a-f]{2})+)$/.exec(part) ?? [];
        return toSignature("hmac", decodeHex(hex));
      }),
  };
}

function toSignature(kind: Key["kind"], bytes: Uint8Array<ArrayBuffer> | null): Signature[] {
  return bytes === null || bytes.length === 0 ? [] : [{ kind, bytes }];
}

function readSeconds(text: string): number {
  if (/^[0-9]{1,12}$/.test(text)) return Number(text);
  throw new WebhookVerificationError("no_header", "The time of signing can't be read.");
}

function need(headers: VerifyWebhookInput["headers"], name: string): string {
  const value = readHeader(headers, name);
  if (value !== null && value !== "") return value;
  throw new WebhookVerificationError("no_header", `The header ${name} is missing.`);
}

function readHeader(headers: VerifyWebhookInput["headers"], name: string): string | null {
  if (isHeaders(headers)) return headers.get(name);
  const found = Object.entries(headers).find(
    ([key, value]) => value !== undefined && key.toLowerCase() === name.toLowerCase(),
  )?.[1];
  return typeof found === "string" ? found : (found?.join(",") ?? null);
}

/** Frameworks have classes of their own. */
function isHeaders(headers: VerifyWebhookInput["headers"]): headers is Headers {
  return typeof headers.get === "function";
}

/** Null: not base64. Only the usual alphabet, with or without its padding. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function decodeHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function concat(
  first: Uint8Array<ArrayBuffer>,
  second: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
