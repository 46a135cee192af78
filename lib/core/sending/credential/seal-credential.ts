import { X509Certificate } from "node:crypto";
import { credentialPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { secretHint } from "#lib/core/verify/secret/secret-hint.ts";
import type { CredentialAuth, CredentialSettings } from "#lib/schema/act/credential.ts";

/** A row's sealed credential. */
type SealedCredential = {
  readonly id: string;
  readonly accountId: string;
  readonly ciphertext: Uint8Array;
};

type Owner = Pick<SealedCredential, "id" | "accountId">;

export function sealCredential(sealer: Sealer, owner: Owner, auth: CredentialAuth): Uint8Array {
  return sealer.seal(Buffer.from(JSON.stringify(auth), "utf8"), credentialPlace(owner));
}

/** Opens the credential for a call or for redaction. Throws if it can't be opened. */
export function openCredential(sealer: Sealer, credential: SealedCredential): CredentialAuth {
  const opened = sealer.open(credential.ciphertext, credentialPlace(credential));
  if (!opened.ok) throw new Error(`A credential can't be opened. ${opened.message}`);
  // `sealCredential` sealed it, so it is authentic and needs no second validation.
  return JSON.parse(Buffer.from(opened.plaintext).toString("utf8"));
}

/** The public part of a credential. */
export function describeCredential(auth: CredentialAuth): CredentialSettings {
  switch (auth.type) {
    case "bearer":
      return { type: auth.type, hint: secretHint(auth.token) };
    case "basic":
      // Many services use a key as the user name alone, so the name is as secret as the password.
      return {
        type: auth.type,
        hint: secretHint(auth.password === "" ? auth.username : auth.password),
      };
    case "header":
    case "query":
      return { type: auth.type, name: auth.name, hint: secretHint(auth.value) };
    case "oauth2": {
      const { clientSecret, ...shown } = auth;
      return { ...shown, hint: secretHint(clientSecret) };
    }
    case "hmac":
      return { type: auth.type, hint: secretHint(auth.secret) };
    case "certificate": {
      const { subject, validToDate } = new X509Certificate(auth.certificate);
      return {
        type: auth.type,
        subject: subject.replaceAll("\n", ", "),
        expiresAt: validToDate.toISOString(),
        hasCa: auth.ca !== null,
      };
    }
    case "aws": {
      const { secretAccessKey, ...shown } = auth;
      return { ...shown, hint: secretHint(secretAccessKey) };
    }
    default:
      return auth satisfies never;
  }
}
