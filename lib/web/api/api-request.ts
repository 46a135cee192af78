import { AppError } from "#lib/base/errors.ts";
import { invalidInput, repeatedName } from "#lib/core/api/parse-input.ts";
import { requireJsonType } from "#lib/core/api/request-headers.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { findRepeatedName } from "#lib/core/mapping/json/walk-json.ts";

/**
 * Reads the body's bytes. A body that is too large is rejected before reading if its size is
 * declared, and otherwise while reading.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? "0");
  if (announced > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/**
 * The body as a JSON object; an empty one counts as `{}`. Each name may occur once. With
 * `exactNumbers`, numbers keep their digits.
 */
export function readJson(
  bytes: Uint8Array,
  options: { readonly contentType: string | null; readonly exactNumbers: boolean },
): Readonly<Record<string, unknown>> {
  if (bytes.byteLength === 0) return {};
  requireJsonType(options.contentType);
  const text = decodeUtf8(bytes);
  const parsed = parseExactJson(text);
  if (!parsed.ok)
    throw new AppError("invalid_json", `The body isn't valid JSON: ${parsed.message}.`);
  requireOnce(findRepeatedName(text));
  const value = options.exactNumbers ? parsed.value : JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw invalidInput([{ path: "", code: "invalid_type", message: "must be an object" }]);
}

/** The query string. Each name may occur once. */
export function readQuery(params: URLSearchParams): Readonly<Record<string, string>> {
  const names = [...params.keys()];
  requireOnce(names.find((name, index) => names.indexOf(name) !== index) ?? null);
  return Object.fromEntries(params);
}

function requireOnce(repeated: string | null): void {
  if (repeated !== null) throw invalidInput([repeatedName(repeated)]);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("invalid_json", "The body is not valid UTF-8, which JSON has to be.");
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    "body_too_large",
    `The body of this request must have at most ${maxBytes} bytes.`,
  );
}
