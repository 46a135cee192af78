import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { invalidField } from "#lib/base/errors.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { checkReceiverUrl } from "#lib/core/sending/address/broker-receiver.ts";
import { checkUrl, toFieldCode } from "#lib/core/sending/address/check-url.ts";
import { isBrokerUrl } from "#lib/schema/act/broker-origin.ts";
import type { AuthOf, CredentialAuth } from "#lib/schema/act/credential.ts";

/** Throws `invalid_request` for an origin that may not be called. */
export function requireCallableOrigin(origin: string, allowList: AllowList): void {
  const checked = checkReceiverUrl(origin, allowList);
  if (!checked.ok) throw invalidField("origin", checked.message, toFieldCode(checked.code));
}

/** Throws `invalid_request` for a credential that could never be used. */
export function requireUsable(auth: CredentialAuth, origin: string, allowList: AllowList): void {
  if (auth.type === "oauth2") {
    const checked = checkUrl(auth.tokenUrl, allowList);
    if (!checked.ok)
      throw invalidField("auth.tokenUrl", checked.message, toFieldCode(checked.code));
  }
  if (auth.type === "certificate") requireKeyPair(auth, origin);
  if (isBrokerUrl(origin)) requireLogin(auth);
}

function requireLogin(auth: CredentialAuth): void {
  if (auth.type !== "basic")
    throw invalidField("auth.type", "must be basic: a broker takes a user name and a password");
  if (auth.username === "") throw invalidField("auth.username", "must not be empty", "required");
}

function requireKeyPair({ certificate, privateKey, ca }: AuthOf<"certificate">, origin: string) {
  if (!origin.startsWith("https:"))
    throw invalidField("origin", "a client certificate needs an origin with https", "conflict");
  const own = readCertificate("auth.certificate", certificate);
  if (ca !== null) readCertificate("auth.ca", ca);
  if (!own.checkPrivateKey(readPrivateKey(privateKey)))
    throw invalidField("auth.privateKey", "is not the key of the certificate", "conflict");
}

function readCertificate(path: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw invalidField(path, "is not a certificate in PEM");
  }
}

function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw invalidField(
      "auth.privateKey",
      "is not a private key in PEM. A key with a passphrase can't be used",
    );
  }
}
