import { AppError } from "#lib/base/errors.ts";

/** No type counts as JSON. */
export function isJsonType(contentType: string | null): boolean {
  const type = (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase();
  return (
    type === "" || type === "application/json" || /^application\/[a-z0-9.-]+\+json$/.test(type)
  );
}

export const notJsonDetail =
  "Send the body as JSON, with the header Content-Type: application/json.";

/** Throws `unsupported_media_type`. */
export function requireJsonType(contentType: string | null): void {
  if (!isJsonType(contentType)) throw new AppError("unsupported_media_type", notJsonDetail);
}

export function isIdempotencyKey(key: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(key);
}

export const badKeyDetail = "Idempotency-Key must be 1 to 255 printable characters without spaces.";

/** Throws `invalid_request`. */
export function readIdempotencyKey(key: string | null): string | null {
  if (key === null || isIdempotencyKey(key)) return key;
  throw new AppError("invalid_request", badKeyDetail);
}
