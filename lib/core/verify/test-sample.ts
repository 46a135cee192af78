/** For the tests of this folder: for any scheme a secret of its form, and a signed request as its sender would make it. */
import { createHmac, generateKeyPairSync } from "node:crypto";
import type { VerifyRequest } from "./request-view.ts";
import type { PublicKeyScheme, Scheme } from "./scheme.ts";
import { computeSignature, formatTimestamp, signRequest } from "./sign.ts";
import { requestOf, testUrl } from "./test-request.ts";

const pairs = {
  ed25519: generateKeyPairSync("ed25519"),
  "ecdsa-p256-sha256": generateKeyPairSync("ec", { namedCurve: "P-256" }),
  "rsa-sha256": generateKeyPairSync("rsa", { modulusLength: 2048 }),
} as const satisfies Record<PublicKeyScheme["algorithm"], unknown>;

/** `signing` is what the sender has, `pasted` what the user pastes: the same but for public keys. */
export type SampleSecret = { readonly signing: string; readonly pasted: string };

/** Another secret for another `seed`; the key pairs are the same for all. */
export function sampleSecret(scheme: Scheme, seed: string): SampleSecret {
  if (scheme.kind === "publicKey") {
    const { privateKey, publicKey } = pairs[scheme.algorithm];
    return {
      signing: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      pasted: publicKey.export({ type: "spki", format: "pem" }).toString(),
    };
  }
  const bytes = createHmac("sha256", "sample").update(seed).digest();
  if (scheme.kind !== "mac") return same(`user:${bytes.toString("base64url")}`);
  const { decode, stripPrefix = "" } = scheme.secret;
  return same(stripPrefix + bytes.toString(decode === "utf8" ? "base64url" : decode));
}

/** A request with everything that the scheme signs, sent at `nowMs`. */
export function sampleRequest(scheme: Scheme, signing: string, nowMs: number, text = "Zoë ☃"): VerifyRequest {
  if (scheme.kind === "token" && scheme.source.from === "query") {
    return requestOf({}, JSON.stringify({ text }), { query: `a=1&token=${encodeURIComponent(signing)}` });
  }
  if (scheme.kind === "token" && scheme.source.from === "body") {
    const nested = scheme.source.path.split(".").reduceRight<unknown>(nest, signing);
    return requestOf({}, JSON.stringify({ text, ...(nested as object) }));
  }
  const signsForm = "signed" in scheme && scheme.signed.template.includes("{form}");
  const body = signsForm
    ? new URLSearchParams({ To: "+1 555", From: "a&b", Body: text }).toString()
    : JSON.stringify({ id: "evt_1", webhookTimestamp: nowMs, text });
  const input = { body: Buffer.from(body), timestampMs: nowMs, id: "msg_1", url: testUrl, headers: nonces };
  if (scheme.kind === "mac" && scheme.signature.sources[0]?.from === "body") {
    return requestOf({}, signInBody(scheme, signing, nowMs));
  }
  return requestOf({ ...nonces, ...signRequest(scheme, signing, input) }, body);
}

const nonces = { "x-plivo-signature-v2-nonce": "12345" };

/** `{signature: {timestamp, token, signature}}`, as Mailgun has it. */
function signInBody(scheme: Scheme & { kind: "mac" }, signing: string, nowMs: number): string {
  const signed = { timestamp: formatTimestamp(nowMs, "s"), token: "t0ken" };
  const input = { body: Buffer.from(JSON.stringify({ signature: signed })), timestampMs: nowMs };
  return JSON.stringify({ signature: { ...signed, signature: computeSignature(scheme, signing, input) } });
}

function nest(inner: unknown, key: string): unknown {
  return /^\d+$/.test(key) ? [inner] : { [key]: inner };
}

function same(secret: string): SampleSecret {
  return { signing: secret, pasted: secret };
}
