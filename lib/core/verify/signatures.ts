/** Takes candidate signatures out of a header. Scans and never splits: a header may hold ten thousand of them. */
import type { SignatureFormat } from "#lib/schema/verification.ts";

const maxCandidates = 10;

/** `parts` holds the values of the keys that the scheme reads, such as the timestamp. */
export type Extracted = { readonly candidates: string[]; readonly parts: Map<string, string[]> };

/**
 * Adds the signatures of one value to `into`: to its first entry, or, where each group of pairs stands for itself, as an
 * entry for each. False when there are more than ten of them.
 * What doesn't look like the format is left out; whether anything is left is for the caller to judge.
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
  for (let start = 0; start <= value.length; ) {
    const next = value.indexOf(itemSeparator, start);
    const end = next === -1 ? value.length : next;
    const item = value.slice(start, end);
    start = end + itemSeparator.length;

    // The first separator only: base64 ends in "=".
    const cut = item.indexOf(keySeparator);
    if (cut === -1) continue;
    const name = item.slice(0, cut);
    if (name === key) {
      if (into.candidates.push(item.slice(cut + keySeparator.length)) > maxCandidates) return false;
    } else if (partKeys.includes(name)) {
      const values = into.parts.get(name) ?? [];
      // Two are as wrong as a thousand.
      if (values.length < 2) into.parts.set(name, [...values, item.slice(cut + keySeparator.length)]);
    }
  }
  return true;
}
