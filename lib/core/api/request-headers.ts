import { AppError } from "#lib/errors.ts";

/** Throws `unsupported_media_type`. No type counts as JSON. */
export function requireJsonType(contentType: string | null): void {
  const type = (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (type === "" || type === "application/json" || /^application\/[a-z0-9.-]+\+json$/.test(type))
    return;
  throw new AppError(
    "unsupported_media_type",
    "Send the body as JSON, with the header Content-Type: application/json.",
  );
}

/** Throws `invalid_request`. */
export function readIdempotencyKey(key: string | null): string | null {
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AppError(
    "invalid_request",
    "Idempotency-Key must be 1 to 255 printable characters without spaces.",
  );
}
