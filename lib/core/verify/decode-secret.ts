/** From pasted text to the bytes of a key, as the scheme says. */
import { createSecretKey, type KeyObject } from "node:crypto";
import { decodePasted } from "./encoding.ts";
import type { SigningScheme } from "./scheme.ts";

/** The key's bytes, or null when the secret is empty, blank or not decodable. */
export function decodeSecret(scheme: Pick<SigningScheme, "secret">, secret: string): Buffer | null {
  const { decode, stripPrefix, prefixRequired, normalize } = scheme.secret;
  const hasPrefix = stripPrefix !== undefined && secret.startsWith(stripPrefix);
  if (prefixRequired === true && !hasPrefix) return null;
  const text = hasPrefix ? secret.slice(stripPrefix.length) : secret;
  if (text.trim() === "") return null;
  return decode === "utf8" ? Buffer.from(normalizeText(text, normalize), "utf8") : decodePasted(text, decode);
}

/** The entities that `wp_specialchars_decode` of WordPress knows, once and not again in what they became. */
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#038": "&",
  "#x26": "&",
  "#060": "<",
  "#x3c": "<",
  "#062": ">",
  "#x3e": ">",
  "#034": '"',
  "#x22": '"',
  "#039": "'",
  "#x27": "'",
};

function normalizeText(text: string, how: SigningScheme["secret"]["normalize"]): string {
  switch (how) {
    case undefined:
      return text;
    case "nfkd":
      return text.normalize("NFKD");
    case "html":
      return text.replaceAll(
        /&(#?[a-z0-9]{2,4});/gi,
        (whole, name: string) => entities[name.toLowerCase()] ?? whole,
      );
    default:
      return how satisfies never;
  }
}

/** A key is prepared once and used for every request: a `KeyObject` makes the HMAC five times faster. */
export type MacKey = { readonly bytes: Buffer; readonly key: KeyObject };

export function toMacKey(bytes: Buffer): MacKey {
  return { bytes, key: createSecretKey(bytes) };
}
