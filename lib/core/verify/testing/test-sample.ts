/** A secret in the format of any scheme, and a request signed like its provider's. For tests. */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Sample } from "#lib/core/providers/samples/build-sample.ts";
import { signSample } from "#lib/core/providers/samples/sign-sample.ts";
import { sampleKeyId } from "#lib/core/verify/jwt/jwt-scheme.ts";
import type {
  CodeSignInput,
  Settings,
  SignedDelivery,
} from "#lib/core/verify/scheme/code-scheme.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import type { PublicKeyScheme, Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { KeyLookup, KeySource } from "#lib/core/verify/scheme/signing-key.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { makeChain } from "./test-chain.ts";
import { requestOf, testUrl } from "./test-request.ts";

/** The certificates of the App Store's samples. */
export const sampleChain = await makeChain();
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pairs = {
  ed25519: generateKeyPairSync("ed25519"),
  "ecdsa-p256-sha256": generateKeyPairSync("ec", { namedCurve: "P-256" }),
  "rsa-sha256": rsa,
  "rsa-sha384": rsa,
  "rsa-sha512": rsa,
} as const satisfies Record<PublicKeyScheme["algorithm"], unknown>;
type Algorithm = keyof typeof pairs;

/** `signing` is the provider's, `pasted` the user's: only different for public keys. */
export type SampleSecret = { readonly signing: string; readonly pasted: string };

/** A new secret for each `seed`; the key pairs are always the same. */
export function sampleSecret(scheme: Scheme, seed: string): SampleSecret {
  const id = seed.split(" ")[0] ?? seed;
  const bytes = createHmac("sha256", "sample").update(seed).digest();
  if (scheme.kind === "publicKey") return keySecret(scheme.algorithm);
  if (scheme.kind === "code" && scheme.keyPair !== undefined) {
    const { algorithm, isPublished } = scheme.keyPair;
    if (id === "apple-app-store")
      return { signing: sampleChain.pem, pasted: bytes.toString("hex") };
    return { ...keySecret(algorithm), ...(isPublished ? { pasted: bytes.toString("hex") } : {}) };
  }
  if (id === "adyen" || id === "contentful") return same(bytes.toString("hex"));
  if (scheme.kind !== "mac") return same(`user:${bytes.toString("base64url")}`);
  const { decode, stripPrefix = "" } = scheme.secret;
  return same(stripPrefix + bytes.toString(decode === "utf8" ? "base64url" : decode));
}

/** The settings that a hook needs in addition to the secret: the provider's examples. */
export function sampleSettings(scheme: Scheme): Settings {
  if (scheme.kind !== "code") return {};
  const required = (scheme.settings ?? []).filter(({ fallback }) => fallback === undefined);
  return Object.fromEntries(required.map(({ name, example }) => [name, example]));
}

/** The public keys of all samples, as if fetched from their providers. */
export const sampleKeys: KeyLookup = ({ format, url, keyId }: KeySource) => {
  if (format === "pinned") return sampleChain.roots;
  return Object.values(format === "certificate" && !/sample(?:\.pem)?$/.test(url) ? {} : pairs).map(
    ({ publicKey }) => ({
      id: keyId === null ? null : sampleKeyId,
      key: publicKey as KeyObject,
      validFromMs: 0,
      validToMs: 4e12,
    }),
  );
};

/** A request with everything that the scheme signs, sent at `nowMs`. */
export function sampleRequest(
  scheme: Scheme,
  signing: string,
  nowMs: number,
  text = "Zoë ☃",
  calledUrl = testUrl,
): VerifyRequest {
  const input = {
    secret: signing,
    settings: sampleSettings(scheme),
    body: Buffer.from(sampleBody(scheme, text)),
    timestampMs: nowMs,
    id: "msg_1",
    url: calledUrl,
    method: "POST",
  };
  const { headers, body, url } = signAny(scheme, input);
  return requestOf(headers, body, { url, query: url.split("?")[1] ?? "" });
}

function signAny(scheme: Scheme, input: CodeSignInput): SignedDelivery {
  if (scheme.kind === "code") return scheme.sign(input);
  const { secret, body, timestampMs: nowMs, id, url, method } = input;
  if (scheme.kind === "publicKey")
    return { headers: signRequest(scheme, secret, input), body, url };
  const signed = signSample(scheme, secret, toSample(body), { method, url, nowMs, id });
  if (signed === null) throw new Error("the scheme can't be signed");
  return signed;
}

function toSample(body: Uint8Array): Sample {
  const text = Buffer.from(body).toString("utf8");
  const content = text.startsWith("{")
    ? { json: JSON.parse(text) }
    : { form: Object.fromEntries(new URLSearchParams(text)) };
  return { eventType: "test", headers: {}, content };
}

function sampleBody(scheme: Scheme, text: string): string {
  const signsForm =
    ("signed" in scheme && scheme.signed.template.includes("{form}")) ||
    (scheme.kind === "code" && scheme.proof.includes("form}"));
  if (signsForm) return new URLSearchParams({ To: "+1 555", From: "a&b", Body: text }).toString();
  const item = {
    pspReference: "8825",
    amount: { value: 1000, currency: "EUR" },
    eventCode: "AUTHORISATION",
    text,
  };
  const notificationItems = [{ NotificationRequestItem: item }, { NotificationRequestItem: item }];
  const isAdyen = scheme.kind === "code" && scheme.proof.includes("each item");
  // A token of the Bot Framework names the first. Midtrans and Kinde need the others.
  const needed = {
    serviceUrl: "https://smba.trafficmanager.net/emea/",
    ...{ order_id: "order-1", status_code: "200", gross_amount: "42000.00" },
    ...{ event_id: "event_1", type: "user.created" },
  };
  return JSON.stringify({
    id: "evt_1",
    ...(isAdyen ? { notificationItems } : {}),
    ...needed,
    text,
  });
}

function keySecret(algorithm: Algorithm): SampleSecret {
  const { privateKey } = pairs[algorithm];
  const signing = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return {
    signing,
    pasted: createPublicKey(signing).export({ type: "spki", format: "pem" }).toString(),
  };
}

function same(secret: string): SampleSecret {
  return { signing: secret, pasted: secret };
}
