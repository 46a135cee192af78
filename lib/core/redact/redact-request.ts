import { redactionMark, redactText } from "./redact-text.ts";

/**
 * Headers fit to be stored and shown: values of headers that carry credentials by their name are gone, known
 * secrets are gone from the others.
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

/** A URL fit to be stored and shown: the same for query parameters, userinfo, and secrets anywhere in it. */
export function redactUrl(url: string, secretValues: readonly string[]): string {
  const withoutUserinfo = url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, `$1${redactionMark}@`);
  const [beforeFragment = "", ...fragment] = withoutUserinfo.split("#");
  const [path = "", ...query] = beforeFragment.split("?");
  const parts = [path];
  if (query.length > 0) parts.push("?", redactQuery(query.join("?")));
  if (fragment.length > 0) parts.push("#", redactQuery(fragment.join("#")));
  return redactText(parts.join(""), secretValues);
}

/** Whether a header, parameter or field of this name holds a credential. */
export function isSensitiveName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSensitive = looksSensitive(name);
  if (knownNames.size < maxKnownNames) knownNames.set(name, isSensitive);
  return isSensitive;
}

// The same few names come with every call. Names of strangers stop being added when it is full.
const knownNames = new Map<string, boolean>();
const maxKnownNames = 1_000;

function looksSensitive(name: string): boolean {
  if (name.length > maxNameLength) return true;
  const plainName = name.toLowerCase().replace(/[-_.\s]/g, "");
  return wholeNames.has(plainName) || nameParts.some((part) => plainName.includes(part));
}

/** Longer ones are no names of anything; remembering them would cost memory. */
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

function decodeName(name: string): string {
  return new URLSearchParams(name).keys().next().value ?? name;
}
