import { isCredentialHeader } from "#lib/core/redact/redact-request.ts";
import { redactionMark } from "#lib/core/redact/redact-text.ts";

/**
 * A provider that signs nothing shows who it is by a token or password, which is the hook's secret itself: that one is shown nowhere.
 * Signatures are for this one body, and what people compare when something does not fit.
 */
export function hideCredential([name, value]: readonly [string, string]): readonly [
  string,
  string,
] {
  return isCredentialHeader(name) ? [name, redactionMark] : [name, value];
}
