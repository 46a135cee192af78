/** Guesses a signature's format, encoding, and hash from a header's value. */

import type { MacScheme } from "#lib/core/verify/scheme/scheme.ts";
import type { SignatureFormat } from "#lib/schema/receive/verification.ts";

export type SignatureShape = {
  readonly format: SignatureFormat;
  readonly encoding: MacScheme["encoding"];
  readonly hash: MacScheme["hash"];
  /** Keys beside the signature whose values look like timestamps. */
  readonly timeKeys: readonly string[];
};

const hashes = { 16: "md5", 20: "sha1", 32: "sha256", 64: "sha512" } as const;

/** At most 8, since the header is untrusted. */
export function listSignatureShapes(value: string): readonly SignatureShape[] {
  if (value.length > 1024) return [];
  const [prefix = "", rest = value] =
    /^([A-Za-z][A-Za-z0-9-]{0,30}[=: ])(.+)$/s.exec(value)?.slice(1) ?? [];
  const whole = toShapes(value, { type: "bare" });
  const prefixed = prefix === "" ? [] : toShapes(rest, { type: "prefixed", prefix });
  return [...whole, ...prefixed, ...listPairs(value)].slice(0, 8);
}

/** Guesses by length and characters. Null if it doesn't look like a signature. */
export function readDigest(
  text: string,
): { encoding: MacScheme["encoding"]; hash: MacScheme["hash"] } | null {
  const candidates = [
    { encoding: "hex", bytes: /^[0-9a-f]+$/.test(text) ? text.length / 2 : 0 },
    {
      encoding: "base64",
      bytes: /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? countBytes(text) : 0,
    },
    { encoding: "base64url", bytes: /^[A-Za-z0-9_-]+$/.test(text) ? countBytes(text) : 0 },
  ] as const;
  for (const { encoding, bytes } of candidates) {
    const hash = bytes in hashes ? hashes[bytes as keyof typeof hashes] : undefined;
    if (hash !== undefined) return { encoding, hash };
  }
  return null;
}

function toShapes(
  text: string,
  format: SignatureFormat,
  timeKeys: readonly string[] = [],
): SignatureShape[] {
  const digest = readDigest(text);
  return digest === null ? [] : [{ format, timeKeys, ...digest }];
}

function listPairs(value: string): SignatureShape[] {
  return separators.flatMap(({ itemSeparator, keySeparator }) => {
    const pairs = value.split(itemSeparator, 12).flatMap((item): [string, string][] => {
      const cut = item.indexOf(keySeparator);
      return cut < 1 || cut > 32
        ? []
        : [[item.slice(0, cut), item.slice(cut + keySeparator.length)]];
    });
    if (pairs.length === 0 || (itemSeparator === " " && keySeparator === "=" && pairs.length < 2))
      return [];
    const timeKeys = pairs.flatMap(([key, text]) =>
      /^(?:\d{10}|\d{13}|\d{4}-\d\d-\d\dT[\d:.Z+-]+)$/.test(text) ? [key] : [],
    );
    return pairs.flatMap(([key, text]) =>
      toShapes(
        text,
        { type: "pairs", itemSeparator, keySeparator, key },
        timeKeys.filter((other) => other !== key),
      ),
    );
  });
}

const separators = [
  { itemSeparator: ",", keySeparator: "=" },
  { itemSeparator: ", ", keySeparator: "=" },
  { itemSeparator: ";", keySeparator: "=" },
  { itemSeparator: " ", keySeparator: "," },
  { itemSeparator: " ", keySeparator: "=" },
];

function countBytes(base64: string): number {
  return Math.floor((base64.replaceAll("=", "").length * 3) / 4);
}
