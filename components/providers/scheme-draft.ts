import type { SecretDecoding } from "#lib/schema/receive/value-source.ts";

/**
 * A verification as form fields: flat, and with every field always present, so that changing one's
 * mind loses nothing.
 */
export type SchemeDraft = {
  readonly kind: "mac" | "token" | "basic" | "bearer" | "publicKey" | "jwt";
  readonly hash: "sha256" | "sha1" | "sha384" | "sha512" | "md5";
  readonly algorithm: "ed25519" | "ecdsa-p256-sha256" | "rsa-sha256" | "rsa-sha384" | "rsa-sha512";
  readonly encoding: "hex" | "base64" | "base64url";
  /** The header of the signature or the token. */
  readonly header: string;
  readonly format: "bare" | "prefixed" | "pairs";
  readonly prefix: string;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly signatureKey: string;
  readonly template: string;
  /** The source of `{id}`, if the template uses it. */
  readonly idHeader: string;
  readonly time: "none" | "header" | "part";
  /** A header's name, or a key inside the signature header. */
  readonly timeName: string;
  readonly unit: "s" | "ms" | "rfc3339" | "iso-zoneless" | "http-date";
  readonly toleranceSeconds: string;
  readonly decode: SecretDecoding;
  readonly stripPrefix: string;
  /** The header that is signed instead of the body, if the template contains `{digest}`. */
  readonly digestHeader: string;
  readonly digestHash: "sha256" | "sha384" | "sha512";
  readonly digestPrefix: string;
  readonly jwtAlgorithm:
    | "HS256"
    | "HS384"
    | "HS512"
    | "RS256"
    | "RS384"
    | "RS512"
    | "ES256"
    | "EdDSA";
  /** The token's claim with the body hash. Empty: none. */
  readonly claim: string;
  readonly issuer: string;
  readonly audience: string;
  readonly maxAgeSeconds: string;
  readonly handshake: HandshakeDraft;
};

/** The first handshake. Further or conditional ones need JSON. */
export type HandshakeDraft = {
  readonly isAsked: boolean;
  readonly method: "GET" | "POST";
  readonly from: "query" | "header" | "body";
  readonly name: string;
  /** The query parameter with the verify token. Empty: none. */
  readonly verifyToken: string;
  readonly reply: "text" | "json" | "header";
  readonly field: string;
  /** The field that gets an HMAC of the challenge. Empty: none. */
  readonly hmacField: string;
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
  digestHeader: "digest",
  digestHash: "sha256",
  digestPrefix: "sha-256=",
  jwtAlgorithm: "HS256",
  claim: "",
  issuer: "",
  audience: "",
  maxAgeSeconds: "300",
  handshake: {
    isAsked: false,
    method: "GET",
    from: "query",
    name: "challenge",
    verifyToken: "",
    reply: "text",
    field: "challenge",
    hmacField: "",
  },
};
