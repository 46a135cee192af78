import { randomBytes } from "node:crypto";

/**
 * The last segment of a catch URL: 26 of 32 possible characters, so 130 random bits, which protect
 * hooks that verify nothing. The alphabet has no i, l, o, or u, so that people can read a URL
 * aloud.
 */
export function generateHookKey(prefix: string | undefined): string {
  const random = Array.from(randomBytes(keyChars), (byte) => alphabet[byte & 31]).join("");
  return prefix === undefined ? random : `${prefix}-${random}`;
}

const keyChars = 26;
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
