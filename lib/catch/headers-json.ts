import { type Hide, toMark } from "./redaction.ts";

/**
 * Headers as JSON text of `[[name, value], …]`, in the order and letter case of the wire. Values that are credentials
 * for verification itself are left out: a token that proves the sender must not lie in the store in clear.
 */
export function toHeadersJson(
  rawHeaders: readonly string[],
  redactedNames: ReadonlySet<string>,
  hide: Hide = toMark,
): string {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    pairs.push([name, redactedNames.has(name.toLowerCase()) ? hide(value) : value]);
  }
  return JSON.stringify(pairs);
}
