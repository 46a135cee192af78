import { randomBytes } from "node:crypto";

/**
 * The last segment of a catch URL: 26 characters of 32, so 130 random bits, which is what keeps strangers out of hooks
 * that verify nothing. The alphabet leaves out i, l, o and u: people read these URLs to each other.
 */
export function generateHookKey(prefix: string | undefined): string {
  const random = Array.from(randomBytes(keyChars), (byte) => alphabet[byte & 31]).join("");
  return prefix === undefined ? random : `${prefix}-${random}`;
}

const keyChars = 26;
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
