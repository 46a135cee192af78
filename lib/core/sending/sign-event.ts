import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from "node:crypto";
import {
  defaultSignatureHeaders,
  listTimedHeaders,
  type SignatureHeaders,
} from "#lib/schema/send/signature-headers.ts";

/** A secret of a subscription that is ready to sign. A key object signs much faster than bytes. */
export type SigningKey = { readonly kind: "hmac" | "ed25519"; readonly key: KeyObject };

type SignEventInput = {
  /**
   * The event's id as receivers see it. It has no dot, because a dot separates the signed parts.
   */
  readonly id: string;
  /** Unix time in seconds of this attempt. */
  readonly timestamp: number;
  readonly body: Uint8Array;
  /** All keys that are valid now, so that a receiver can change its secret at any time. */
  readonly keys: readonly SigningKey[];
  /** The account's choice. Omitted: all headers, by their own names. */
  readonly headers?: SignatureHeaders;
};

/**
 * The headers that prove where an event comes from:
 *
 * - `webhook-id`, `webhook-timestamp`, and `webhook-signature` over `id.timestamp.body`, one signature
 *   per key: `v1` is HMAC-SHA256, `v1a` is Ed25519, both in base64
 *   (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 *   They are always there for a key pair, whose signature is nowhere else.
 * - `Catchment-Signature: t=<timestamp>,v1=<hex>` is HMAC-SHA256 over `timestamp.body`, with the same
 *   keys. An account can give it another name, and have it under both.
 */
export function signEvent(input: SignEventInput): [string, string][] {
  const { id, timestamp, body, keys, headers = defaultSignatureHeaders } = input;
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const timed = signed.subarray(id.length + 1);
  const signatures: string[] = [];
  const own = [`t=${timestamp}`];
  for (const { kind, key } of keys) {
    if (kind === "ed25519") {
      signatures.push(`v1a,${sign(null, signed, key).toString("base64")}`);
    } else {
      signatures.push(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
      own.push(`v1=${createHmac("sha256", key).update(timed).digest("hex")}`);
    }
  }
  const timedHeaders = listTimedHeaders(headers).map((name): [string, string] => [
    name,
    own.join(","),
  ]);
  if (!headers.standardWebhooksHeaders && keys.every(({ kind }) => kind === "hmac"))
    return timedHeaders;
  return [
    ["webhook-id", id],
    ["webhook-timestamp", String(timestamp)],
    ["webhook-signature", signatures.join(" ")],
    ...timedHeaders,
  ];
}

/**
 * A secret as stored: `whsec_` and base64 for HMAC, or a private key as PEM for Ed25519. Throws for
 * anything else.
 */
export function readSigningKey(kind: string, secret: string): SigningKey {
  if (kind === "ed25519") return { kind, key: createPrivateKey(secret) };
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (kind !== "hmac" || key.byteLength === 0) throw new Error("This is not a signing secret");
  return { kind, key: createSecretKey(key) };
}
