/** Keys that a sender publishes: where they may be fetched from, and what is known of them once they are. */
import type { KeyObject } from "node:crypto";

/**
 * `certificate` is an X.509 certificate in PEM, `jwks` a JSON Web Key Set (RFC 7517), `plaid` the answer of Plaid's
 * key endpoint, which holds one JWK.
 */
export type KeySource = {
  readonly format: "certificate" | "jwks" | "plaid";
  /** On the list of `isKeyUrlAllowed`, or nothing is fetched. */
  readonly url: string;
  /** Of the key that is wanted; null where any of the source will do. */
  readonly keyId: string | null;
  /** JSON to send with a POST, where the sender wants one. It may hold credentials: never to be logged. */
  readonly body?: string;
};

export type SigningKey = {
  readonly id: string | null;
  readonly key: KeyObject;
  /** Outside of these it verifies nothing. In milliseconds since 1970. */
  readonly validFromMs: number;
  readonly validToMs: number;
};

/** The keys of a source, as far as they are at hand; undefined: they have to be fetched first. */
export type KeyLookup = (source: KeySource) => readonly SigningKey[] | undefined;

/** What the catch path needs of whoever fetches keys. */
export type SigningKeys = {
  readonly find: KeyLookup;
  /** Fetches what `find` doesn't have. False: the source can't be asked, or not in that time. Never rejects. */
  load(source: KeySource, maxWaitMs: number): Promise<boolean>;
};

/** Each as narrow as what its sender has ever used: no port, no user, no query. */
const allowed: readonly RegExp[] = [
  /^https:\/\/sns\.[a-z0-9-]{3,40}\.amazonaws\.com(?:\.cn)?\/[A-Za-z0-9._-]{1,200}\.pem$/,
  /^https:\/\/api(?:-m)?(?:\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[A-Za-z0-9_-]{1,200}$/,
  /^https:\/\/www\.googleapis\.com\/oauth2\/v3\/certs$/,
  /^https:\/\/rest(?:\.alpha)?\.fal\.ai\/\.well-known\/jwks\.json$/,
  /^https:\/\/(?:production|sandbox)\.plaid\.com\/webhook_verification_key\/get$/,
];

/** Whether keys may be fetched from there at all, whoever asks. */
export function isKeyUrlAllowed(url: string): boolean {
  return allowed.some((pattern) => pattern.test(url));
}
