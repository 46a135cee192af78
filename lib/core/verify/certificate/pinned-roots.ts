/**
 * Root certificates that are part of Catchment, because no message and no fetch may replace them.
 */
import { X509Certificate } from "node:crypto";
import type { KeySource, SigningKey } from "#lib/core/verify/scheme/signing-key.ts";

/**
 * Apple Root CA - G3, valid to April 30, 2039. Its SHA-256 is
 * 63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179
 * (https://www.apple.com/certificateauthority/).
 */
export const appleRootG3 = `-----BEGIN CERTIFICATE-----
MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwS
QXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9u
IEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcN
MTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBS
b290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9y
aXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49
AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtf
TjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517
IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr
MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gA
MGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4
at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM
6BgD56KyKA==
-----END CERTIFICATE-----`;

/** The address where Apple publishes it. It isn't fetched from there. */
export const appleRoot: KeySource = {
  format: "pinned",
  url: "https://www.apple.com/certificateauthority/AppleRootCA-G3.cer",
  keyId: null,
};

/** Undefined: the source isn't pinned. */
export function findPinnedRoots({ format, url }: KeySource): readonly SigningKey[] | undefined {
  if (format !== "pinned") return undefined;
  if (url !== appleRoot.url) return [];
  appleKeys ??= [toSigningKey(new X509Certificate(appleRootG3))];
  return appleKeys;
}

let appleKeys: readonly SigningKey[] | undefined;

function toSigningKey({ publicKey, validFromDate, validToDate }: X509Certificate): SigningKey {
  return {
    id: null,
    key: publicKey,
    validFromMs: validFromDate.getTime(),
    validToMs: validToDate.getTime(),
  };
}
