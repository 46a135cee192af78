import type { CredentialKind } from "#lib/schema/act/credential.ts";

/** The kinds of credentials, as shown in lists and choices. */
export const kindWords: Readonly<Record<CredentialKind, string>> = {
  bearer: "Bearer token",
  basic: "Username and password",
  header: "API key in a header",
  query: "API key in the query",
  oauth2: "OAuth 2 client credentials",
  hmac: "HMAC signature",
  certificate: "Client certificate",
  aws: "AWS access key",
};
