/** Keys that providers publish, and the places that they may be fetched from. */
import type { KeyObject } from "node:crypto";

/**
 * `certificate`: an X.509 certificate as PEM. `jwks`: a JSON Web Key Set (RFC 7517). `plaid`: the
 * response of Plaid's key endpoint, with one JWK. `travis`: Travis CI's configuration, with one
 * public key as PEM. `pinned`: a root certificate that is part of Catchment and is never fetched.
 */
export type KeySource = {
  readonly format: "certificate" | "jwks" | "plaid" | "travis" | "pinned";
  /** Must pass `isKeyUrlAllowed`, unless it is pinned. */
  readonly url: string;
  /** The id of the key. Null: any key of the source. */
  readonly keyId: string | null;
  /** The endorsement that the key must have, if it has any. */
  readonly endorsement?: string;
  /** JSON for a POST request, if needed. May contain credentials: never log it. */
  readonly body?: string;
};

export type SigningKey = {
  readonly id: string | null;
  readonly key: KeyObject;
  /** Channels that a key of the Bot Framework may sign for. Undefined: it isn't limited. */
  readonly endorsements?: readonly string[];
  /** The validity of the key, in Unix milliseconds. */
  readonly validFromMs: number;
  readonly validToMs: number;
};

/** The cached keys of a source. Undefined: they have to be fetched first. */
export type KeyLookup = (source: KeySource) => readonly SigningKey[] | undefined;

/** Finds and fetches keys for the catch path. */
export type SigningKeys = {
  readonly find: KeyLookup;
  /** Fetches missing keys for a hook. False: the source failed or timed out. Never rejects. */
  load(source: KeySource, maxWaitMs: number, hookId: string): Promise<boolean>;
};

/**
 * Addresses that a request or a setting completes. The patterns are as narrow as possible: no port,
 * user, or query.
 */
const completed: readonly RegExp[] = [
  /^https:\/\/sns\.[a-z0-9-]{3,40}\.amazonaws\.com(?:\.cn)?\/[A-Za-z0-9._-]{1,200}\.pem$/,
  /^https:\/\/api(?:-m)?(?:\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[A-Za-z0-9_-]{1,200}$/,
  /^https:\/\/[a-z0-9][a-z0-9-]{0,62}\.kinde\.com\/\.well-known\/jwks$/,
  /^https:\/\/(?:production|sandbox)\.plaid\.com\/webhook_verification_key\/get$/,
];

/** The same for every hook. */
const fixed: readonly RegExp[] = [
  /^https:\/\/www\.googleapis\.com\/oauth2\/v3\/certs$/,
  /^https:\/\/www\.googleapis\.com\/service_accounts\/v1\/jwk\/chat@system\.gserviceaccount\.com$/,
  /^https:\/\/login\.botframework\.com\/v1\/\.well-known\/keys$/,
  /^https:\/\/login\.botframework\.azure\.us\/v1\/\.well-known\/keys$/,
  /^https:\/\/api\.travis-ci\.com\/config$/,
  /^https:\/\/rest(?:\.alpha)?\.fal\.ai\/\.well-known\/jwks\.json$/,
  /^https:\/\/(?:(?:eu|eu2|sandbox)-)?keys\.fireblocks\.io\/\.well-known\/jwks\.json$/,
];

/** True if keys may be fetched from this URL. */
export function isKeyUrlAllowed(url: string): boolean {
  return isFixedKeyUrl(url) || completed.some((pattern) => pattern.test(url));
}

/** True if no request can choose this URL among others. */
export function isFixedKeyUrl(url: string): boolean {
  return fixed.some((pattern) => pattern.test(url));
}
