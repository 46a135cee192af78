import { createPrivateKey } from "node:crypto";
import { checkChain } from "#lib/core/verify/certificate/check-chain.ts";
import { appleRoot } from "#lib/core/verify/certificate/pinned-roots.ts";
import { isJwtSignedBy, readJwt, signJwt } from "#lib/core/verify/jwt/jwt.ts";
import type { CodeOptions, CodeScheme, Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import { parseJsonObject } from "#lib/core/verify/scheme/request-view.ts";
import { eventIn } from "./shapes/events-at.ts";
import { byContent } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

type Claims = Readonly<Record<string, unknown>>;

const subject = "the body field signedPayload";

/** Three certificates and two tokens inside have some 20 KB. */
const maxTokenLength = 256 * 1024;

/**
 * In DER, what Apple gives only to certificates for App Store receipts (1.2.840.113635.100.6.11.1)
 * and to its intermediate for developers (1.2.840.113635.100.6.2.1).
 */
const extensions = { leaf: "2a864886f76364060b01", intermediate: "2a864886f76364060201" };

/** The last retry is 157 hours after the first try, and may have its time. */
const window = { pastSeconds: 8 * 24 * 3600, futureSeconds: 300 };

/**
 * Apple signs all developers' notifications with the same key, so the app and the environment must
 * be the expected ones. The certificates count at the time of signing, as in Apple's own package
 * without online checks.
 */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "JSON Web Signature, ES256 with a certificate that leads to Apple Root " +
    "CA - G3, in the body field signedPayload, for one app",
  window,
  takesSecret: false,
  proofHeaders: [],
  keyPair: { algorithm: "ecdsa-p256-sha256", isPublished: true },
  settings: [
    {
      name: "bundleId",
      label: "Bundle ID",
      help:
        "The bundle ID of the app: App Store Connect → Apps → your app → App " +
        "Information. Notifications of other apps are rejected.",
      example: "com.example.app",
      pattern: /^[A-Za-z0-9.-]{1,155}$/,
    },
    {
      name: "environment",
      label: "Environment",
      help: "Production, or Sandbox for the hook of the sandbox server URL.",
      example: "Production",
      pattern: /^(?:Production|Sandbox)$/,
      fallback: "Production",
    },
  ],
  findSecretProblem: () => null,
  prepare: (options) => (request, nowMs, keys) => {
    const token = parseJsonObject(request.body)?.signedPayload;
    if (typeof token !== "string") return fail("signature_missing", subject);
    const jwt = readJwt(token, ["ES256"], maxTokenLength);
    if (jwt === null) return fail("signature_malformed", subject);
    const { x5c, claims } = jwt;
    const signedMs = claims.signedDate;
    if (typeof signedMs !== "number" || !Number.isSafeInteger(signedMs))
      return fail("timestamp_malformed", "the claim signedDate of the token");
    const key = checkChain(x5c, { roots: keys(appleRoot) ?? [], atMs: signedMs, extensions });
    if ("reason" in key) return key;
    if (!isJwtSignedBy(jwt, key)) return fail("signature_mismatch", subject);
    return checkRecipient(claims, options.settings) ?? checkTime(signedMs, nowMs, options);
  },
  sign: ({ secret, settings, body, url, timestampMs }) => {
    const event = parseJsonObject(body) ?? {};
    const { bundleId, environment = production } = settings;
    const data = { appAppleId: 1234567890, ...toObject(event.data), bundleId, environment };
    const claims = { ...event, data, signedDate: timestampMs };
    const x5c = readCertificates(secret);
    const token = signJwt("ES256", createPrivateKey(secret), claims, undefined, x5c);
    return {
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ signedPayload: token })),
      url,
    };
  },
};

const production = "Production";

/** The app is named in the first that is there. Apple sends one of them. */
const places = ["data", "summary", "externalPurchaseToken", "appData"] as const;

function checkRecipient(claims: Claims, settings: Settings): VerifyFailure | null {
  const place = places.find((name) => typeof claims[name] === "object" && claims[name] !== null);
  if (place === undefined) return fail("claim_missing", "the claim data of the token");
  const about = toObject(claims[place]);
  if (about.bundleId !== settings.bundleId)
    return fail("claim_mismatch", `the claim ${place}.bundleId of the token`);
  const isExpected = environmentOf(place, about) === (settings.environment ?? production);
  return isExpected ? null : fail("claim_mismatch", `the environment in the claim ${place}`);
}

/** The token of an external purchase has no field for it. */
function environmentOf(place: (typeof places)[number], about: Claims): unknown {
  if (place !== "externalPurchaseToken") return about.environment;
  const { externalPurchaseId: id } = about;
  return typeof id === "string" && id.startsWith("SANDBOX") ? "Sandbox" : production;
}

function checkTime(
  signedMs: number,
  nowMs: number,
  { toleranceSeconds }: CodeOptions,
): VerifyFailure | null {
  const name = "the claim signedDate of the token";
  const ageSeconds = (nowMs - signedMs) / 1000;
  const tooOld = ageSeconds - (toleranceSeconds ?? window.pastSeconds);
  if (tooOld > 0) return fail("timestamp_too_old", name, Math.ceil(tooOld));
  const tooNew = -ageSeconds - (toleranceSeconds ?? window.futureSeconds);
  return tooNew > 0 ? fail("timestamp_in_future", name, Math.ceil(tooNew)) : null;
}

function toObject(value: unknown): Claims {
  return typeof value === "object" && value !== null ? (value as Claims) : {};
}

/** The certificates behind a private key as PEM, as `x5c` has them. */
function readCertificates(pem: string): readonly string[] {
  const found = pem.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END/g);
  return [...found].map(([, base64 = ""]) => base64.replaceAll(/\s/g, ""));
}

const docs = "https://developer.apple.com/documentation/appstoreservernotifications";

export const appleAppStore: Provider = {
  id: "apple-app-store",
  name: "Apple App Store Server Notifications V2",
  scheme,
  eventId: [byContent],
  identity: {
    why: "Each notification has its own notificationUUID, which Apple keeps for every try and signs.",
    source: `${docs}/notificationuuid`,
  },
  eventType: [],
  batch: eventIn(
    { from: "token", path: "signedPayload" },
    {
      eventId: [["notificationUUID"]],
      eventType: [["notificationType", "subtype"], ["notificationType"]],
    },
  ),
  secretHelp:
    "None: the certificates come with each notification, and Catchment " +
    "knows Apple's root. Fill in your app's bundle ID instead.",
  whereToPaste:
    "App Store Connect → Apps → your app → App Information → App Store Server " +
    "Notifications: paste the catch URL and choose Version 2.",
  docsUrl: `${docs}/responsebodyv2`,
  proof: { package: "@apple/app-store-server-library", describedBy: "provider" },
  marks: {
    body: [{ path: "signedPayload", is: /^eyJ/, why: "its body is a signedPayload", isSure: true }],
  },
};
