/** Decodes a pasted secret into a key. */
import { createSecretKey, type KeyObject } from "node:crypto";
import { decodePasted } from "./encoding.ts";
import type { SigningScheme } from "./scheme.ts";

/** The key that signs. Null if the secret is empty, blank, or can't be decoded. */
export function decodeSecret(scheme: SecretOwner, secret: string): Buffer | null {
  return listKeys(scheme, secret)[0] ?? null;
}

type SecretOwner = Pick<SigningScheme, "secret">;

/** Every key that the secret stands for: two if the provider also used its text (`orText`). */
export function listKeys(scheme: SecretOwner, secret: string): readonly Buffer[] {
  const decoded = decodeText(scheme, secret);
  const hasText = scheme.secret.orText === true && secret.trim() !== "";
  return [...(decoded === null ? [] : [decoded]), ...(hasText ? [Buffer.from(secret)] : [])];
}

function decodeText(scheme: SecretOwner, secret: string): Buffer | null {
  const { decode, stripPrefix, prefixRequired, normalize } = scheme.secret;
  const hasPrefix = stripPrefix !== undefined && secret.startsWith(stripPrefix);
  if (prefixRequired === true && !hasPrefix) return null;
  const text = hasPrefix ? secret.slice(stripPrefix.length) : secret;
  if (text.trim() === "") return null;
  return decode === "utf8"
    ? Buffer.from(normalizeText(text, normalize), "utf8")
    : decodePasted(text, decode);
}

/** The entities of WordPress's `wp_specialchars_decode`, decoded once. */
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

/** Prepared once and reused: a `KeyObject` makes the HMAC five times faster. */
export type MacKey = { readonly bytes: Buffer; readonly key: KeyObject };

export function toMacKey(bytes: Buffer): MacKey {
  return { bytes, key: createSecretKey(bytes) };
}
