import { listAuthSecrets } from "#lib/core/people/redact/auth-secrets.ts";
import type { CredentialAuth } from "#lib/schema/act/credential.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";

/** A saved credential with its secrets in plain text, ready for calls. */
export type SavedCredential = {
  readonly id: string;
  /** The version increases whenever the secrets change. */
  readonly version: number;
  /** The only origin that the credential is sent to. */
  readonly origin: string;
  readonly auth: CredentialAuth;
};

/** The credential as part of a request. Null: it is applied when the call is made. */
export function toRequestAuth(auth: CredentialAuth): RequestAuth | null {
  switch (auth.type) {
    case "bearer":
    case "basic":
    case "header":
    case "query":
      return auth;
    case "oauth2":
    case "hmac":
    case "certificate":
    case "aws":
      return null;
    default:
      return auth satisfies never;
  }
}

/** Names of the headers that are added to a request when it is sent, after it is built. */
export function listAddedHeaders(auth: CredentialAuth): readonly string[] {
  if (auth.type === "oauth2") return ["Authorization"];
  if (auth.type === "aws") return ["Authorization", "X-Amz-Date", "X-Amz-Content-Sha256"];
  if (auth.type !== "hmac") return [];
  return ["webhook-id", "webhook-timestamp", "webhook-signature", "Catchment-Signature"];
}

/** The credential's secrets in every form that is sent. Never store or show them. */
export function listCredentialSecrets(auth: CredentialAuth): string[] {
  switch (auth.type) {
    case "oauth2": {
      const { clientId, clientSecret } = auth;
      return [clientSecret, toBasic(clientId, clientSecret)];
    }
    case "hmac":
      return [auth.secret, auth.secret.replace(/^whsec_/, "")];
    case "certificate":
      return [auth.privateKey];
    case "aws":
      return [auth.secretAccessKey];
    default:
      return listAuthSecrets(auth);
  }
}

/** RFC 6749 §2.3.1: both are form-encoded first. */
export function toBasic(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64");
}
