/**
 * Extracts candidate signatures from a header. Scans instead of splitting, since there may be
 * thousands.
 */
import type { SignatureFormat } from "#lib/schema/receive/verification.ts";

const maxCandidates = 10;

/** `parts` has the values of the keys that the scheme reads, such as the timestamp. */
export type Extracted = { readonly candidates: string[]; readonly parts: Map<string, string[]> };

/**
 * Adds the signatures of one value to `into`: to its first entry, or as separate entries if each
 * group of pairs is independent. Skips malformed signatures. Returns false if there are more than
 * ten.
 */
export function extractSignatures(
  value: string,
  format: SignatureFormat,
  partKeys: readonly string[],
  into: Extracted[],
): boolean {
  if (format.type === "pairs" && format.groupSeparator !== undefined) {
    const groups = value.split(format.groupSeparator, maxCandidates + 1);
    for (const group of groups) {
      const extracted: Extracted = { candidates: [], parts: new Map() };
      if (!extractPairs(group, format, partKeys, extracted)) return false;
      into.push(extracted);
    }
    return into.length <= maxCandidates;
  }
  const first = into[0] ?? { candidates: [], parts: new Map() };
  if (into.length === 0) into.push(first);
  return extractOne(value, format, partKeys, first);
}

function extractOne(
  value: string,
  format: SignatureFormat,
  partKeys: readonly string[],
  into: Extracted,
): boolean {
  switch (format.type) {
    case "bare":
      into.candidates.push(value);
      break;
    case "prefixed":
      if (value.startsWith(format.prefix)) into.candidates.push(value.slice(format.prefix.length));
      else if (format.optional === true) into.candidates.push(value);
      break;
    case "pairs":
      return extractPairs(value, format, partKeys, into);
    default:
      return format satisfies never;
  }
  return into.candidates.length <= maxCandidates;
}

function extractPairs(
  value: string,
  { itemSeparator, keySeparator, key }: Extract<SignatureFormat, { type: "pairs" }>,
  partKeys: readonly string[],
  into: Extracted,
): boolean {
  // Some providers and proxies add a space after the comma. It is never part of a pair.
  const separator = trimBlanks(itemSeparator) || itemSeparator;
  for (let start = 0; start <= value.length; ) {
    const next = value.indexOf(separator, start);
    const end = next === -1 ? value.length : next;
    const item = trimBlanks(value.slice(start, end));
    start = end + separator.length;

    // Only the first separator counts, since base64 may end in "=".
    const cut = item.indexOf(keySeparator);
    if (cut === -1) continue;
    const name = item.slice(0, cut);
    if (name === key) {
      if (into.candidates.push(unquote(item.slice(cut + keySeparator.length))) > maxCandidates)
        return false;
    } else if (partKeys.includes(name)) {
      const values = into.parts.get(name) ?? [];
      // More than one value is wrong anyway.
      if (values.length < 2)
        into.parts.set(name, [...values, item.slice(cut + keySeparator.length)]);
    }
  }
  return true;
}

/** Trims optional white space (RFC 9110, 5.6.3). A regex would take quadratic time. */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** `signature="…"`, as in HTTP signatures. No encoding contains quotation marks. */
function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
