import { type Hide, toMark } from "./redaction.ts";

/**
 * Headers as JSON `[[name, value], …]`, in their original order and letter case. Credentials are
 * replaced, so that they are not stored in clear.
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
