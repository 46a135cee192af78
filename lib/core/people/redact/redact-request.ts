import { redactionMark, redactText } from "./redact-text.ts";

/**
 * Redacts headers for storing and showing: all sensitive names, and known secrets in other values.
 */
export function redactHeaders(
  headers: readonly (readonly [name: string, value: string])[],
  secretValues: readonly string[],
): [name: string, value: string][] {
  return headers.map(([name, value]) => [
    name,
    isSensitiveName(name) ? redactionMark : redactText(value, secretValues),
  ]);
}

/** Redacts a URL: sensitive query parameters, userinfo, and known secrets. */
export function redactUrl(url: string, secretValues: readonly string[]): string {
  const withoutUserinfo = url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, `$1${redactionMark}@`);
  const [beforeFragment = "", ...fragment] = withoutUserinfo.split("#");
  const [path = "", ...query] = beforeFragment.split("?");
  const parts = [path];
  if (query.length > 0) parts.push("?", redactQuery(query.join("?")));
  if (fragment.length > 0) parts.push("#", redactQuery(fragment.join("#")));
  return redactText(parts.join(""), secretValues);
}

/** True if a header, parameter, or field with this name contains a credential. */
export function isSensitiveName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSensitive = looksSensitive(name);
  if (knownNames.size < maxKnownNames) knownNames.set(name, isSensitive);
  return isSensitive;
}

/**
 * True if a header is a credential. Signatures aren't: they cover one body, and users compare them.
 */
export function isCredentialHeader(name: string): boolean {
  return isSensitiveName(name) && !/signature|hmac|(?:^|-)sig(?:-|$)/i.test(name);
}

// Every call has the same few names. The cache stops growing when it is full.
const knownNames = new Map<string, boolean>();
const maxKnownNames = 1_000;

function looksSensitive(name: string): boolean {
  if (name.length > maxNameLength) return true;
  const plainName = name.toLowerCase().replace(/[-_.\s]/g, "");
  return wholeNames.has(plainName) || nameParts.some((part) => plainName.includes(part));
}

/** Longer names are not cached, to save memory. */
const maxNameLength = 256;

const wholeNames: ReadonlySet<string> = new Set([
  "auth",
  "cookie",
  "key",
  "pass",
  "pwd",
  "setcookie",
  "sig",
  "xauth",
]);

const nameParts = [
  "accesskey",
  "apikey",
  "authkey",
  "authorization",
  "credential",
  "passphrase",
  "passwd",
  "password",
  "privatekey",
  "secret",
  "signature",
  "token",
] as const;

function redactQuery(query: string): string {
  return query.replace(/([^&=]+)=([^&]*)/g, (pair, name: string) =>
    isSensitiveName(decodeName(name)) ? `${name}=${redactionMark}` : pair,
  );
}

/** The name of a parameter in a query, decoded. */
export function decodeName(name: string): string {
  return new URLSearchParams(name).keys().next().value ?? name;
}
