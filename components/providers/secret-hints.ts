import { changeSecret } from "#lib/core/verify/secret/change-secret.ts";
import { findSecretSlips, type SecretSlip } from "#lib/core/verify/secret/find-secret-slips.ts";
import type { SecretDecoding } from "#lib/schema/receive/value-source.ts";

/** The way in which a scheme reads its secret, as far as the form can explain it. */
export type SecretShape = {
  readonly kind: "key" | "publicKey" | "password";
  readonly decode: SecretDecoding;
  /** The prefix that is removed before decoding. */
  readonly prefix: string | null;
  readonly isPrefixRequired: boolean;
  /** The usual prefix of this provider's secrets. */
  readonly startsWith: string | null;
  /** The user chooses the secret. */
  readonly isChosen: boolean;
};

/** `fixed` is the secret without the oddity. Null if only the provider can help. */
export type SecretHint = {
  readonly id: SecretSlip["id"] | "prefix" | "shape";
  readonly words: string;
  readonly fix: { readonly label: string; readonly fixed: string } | null;
  /** The secret can't be saved like this. */
  readonly isRejected: boolean;
};

/**
 * Oddities of a pasted secret. Nothing is changed automatically: white space or quotation marks can
 * be part of a key, and a silently changed key never verifies anything.
 */
export function findSecretHints(secret: string, shape: SecretShape | null): readonly SecretHint[] {
  const slips = findSecretSlips(secret, shape ?? {});
  if (secret.trim() === "") return [];
  const hints = slips.map((slip) => toHint(secret, slip));
  // Hints are shown one at a time, because fixing one may reveal the next.
  const misfit = hints.every(({ id }) => id === "space") ? findMisfit(secret, shape) : null;
  return misfit === null ? hints : [...hints, misfit];
}

function toHint(secret: string, { id, words, advice, change, isRejected }: SecretSlip): SecretHint {
  const fix =
    change === null ? null : { label: labels[id] ?? "Fix it", fixed: changeSecret(secret, change) };
  return { id, words: `The secret ${words}. ${advice}`, fix, isRejected };
}

const labels: Partial<Record<SecretSlip["id"], string>> = {
  name: "Remove the name",
  word: "Remove the word",
  quotes: "Remove the quotation marks",
  version: "Remove v1,",
  prefix_twice: "Remove one prefix",
  invisible: "Remove the character",
  twice: "Keep it once",
  escape: "Remove the line break",
  lines: "Join the lines",
  space: "Remove the white space",
};

/**
 * The format of the secret, shown before pasting. Plain text needs no explanation beyond the
 * provider's.
 */
export function describeShape(shape: SecretShape, hasHelp: boolean): string {
  const { kind, decode, prefix } = shape;
  if (kind === "password") return "A username and password, separated by a colon: user:password.";
  if (kind === "publicKey") return "It isn't secret, but it decides which deliveries are trusted.";
  if (decode === "utf8") return hasHelp ? "" : "Any text, used exactly as pasted.";
  const alphabet = alphabets[decode];
  return prefix === null ? `It is ${alphabet}.` : `It is ${prefix} and then ${alphabet}.`;
}

const alphabets = {
  hex: "hexadecimal: 0 to 9 and a to f",
  base64: "base64: letters, digits, + / and =",
  base64url: "base64url: letters, digits, - and _",
} as const;

function findMisfit(secret: string, shape: SecretShape | null): SecretHint | null {
  const text = secret.trim();
  if (shape === null || shape.kind === "publicKey") return null;
  if (shape.kind === "password") {
    return text.includes(":")
      ? null
      : misfit("shape", "There is no colon between username and password.");
  }
  const { prefix, startsWith, decode } = shape;
  const start = prefix ?? startsWith;
  if (start !== null && !text.startsWith(start) && (shape.isPrefixRequired || prefix === null)) {
    return misfit(
      "prefix",
      `It does not start with ${start}. Is it an API key, or another endpoint's secret?`,
    );
  }
  const rest = prefix !== null && text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (isDecodable(rest, decode)) return null;
  return misfit(
    "shape",
    `It is not ${decode}${prefix === null ? "" : ` after ${prefix}`}. Check that you copied all of it.`,
  );
}

function misfit(id: "prefix" | "shape", words: string): SecretHint {
  return { id, words, fix: null, isRejected: false };
}

/** Decodes like the server: hex in either case, base64 with or without padding. */
function isDecodable(text: string, decode: SecretShape["decode"]): boolean {
  switch (decode) {
    case "utf8":
      return true;
    case "hex":
      return /^(?:[0-9a-f]{2})+$/i.test(text);
    case "base64url":
      return /^[A-Za-z0-9_-]+={0,2}$/.test(text) && text.replace(/=+$/, "").length % 4 !== 1;
    case "base64":
      return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replace(/=+$/, "").length % 4 !== 1;
    default:
      return decode satisfies never;
  }
}

/** A secret of 256 random bits in the scheme's format, for providers where the user chooses it. */
export function generateSecret(shape: SecretShape | null): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  if (shape === null) return toHex(bytes);
  if (shape.kind === "password") return `catchment:${toHex(bytes)}`;
  return `${shape.prefix ?? shape.startsWith ?? ""}${encode(bytes, shape.decode)}`;
}

function encode(bytes: Uint8Array, decode: SecretShape["decode"]): string {
  if (decode !== "base64" && decode !== "base64url") return toHex(bytes);
  const base64 = btoa(String.fromCharCode(...bytes));
  return decode === "base64"
    ? base64
    : base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
