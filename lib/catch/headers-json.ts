import { redactionMark } from "#lib/core/redact/redact-text.ts";

/**
 * Headers as JSON text of `[[name, value], …]`, in the order and letter case of the wire. Values that are credentials
 * for verification itself are left out: a token that proves the sender must not lie in the store in clear.
 */
export function toHeadersJson(rawHeaders: readonly string[], redactedNames: ReadonlySet<string>): string {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    pairs.push([name, redactedNames.has(name.toLowerCase()) ? redactionMark : value]);
  }
  return JSON.stringify(pairs);
}
