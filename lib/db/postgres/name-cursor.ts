import { invalidField } from "#lib/base/errors.ts";

/**
 * Encodes a cursor for lists sorted by name, which are paged by keyset too. A cursor is the last
 * name.
 */
export function encodeNameCursor(name: string): string {
  return Buffer.from(name, "utf8").toString("base64url");
}

/** The name in a cursor, or the empty one for the first page. Throws `invalid_request`. */
export function decodeNameCursor(cursor: string | undefined): string {
  if (cursor === undefined) return "";
  const name = Buffer.from(cursor, "base64url").toString("utf8");
  if (/^[\x21-\x7e]{1,200}$/.test(name) && encodeNameCursor(name) === cursor) return name;
  throw invalidField("cursor", "is not a cursor of this list");
}
