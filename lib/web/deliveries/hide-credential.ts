import { isCredentialHeader } from "#lib/core/redact/redact-request.ts";
import { redactionMark } from "#lib/core/redact/redact-text.ts";

/**
 * A provider that doesn't sign proves itself by a token or password, which is the hook's secret
 * itself: it is never shown. Signatures are for this one body, and users compare them if
 * verification fails.
 */
export function hideCredential([name, value]: readonly [string, string]): readonly [
  string,
  string,
] {
  return isCredentialHeader(name) ? [name, redactionMark] : [name, value];
}
