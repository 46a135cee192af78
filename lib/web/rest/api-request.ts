import type { z } from "zod";
import { requireJsonType } from "#lib/core/api/request-headers.ts";
import { invalidInput, parseInput } from "#lib/core/input/parse-input.ts";
import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { AppError } from "#lib/errors.ts";

/**
 * The body's bytes. A body that is too large is rejected before reading if its size is announced,
 * and otherwise while reading.
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
 * The body, parsed by the schema; an empty one counts as `{}`. With `exactNumbers`, numbers keep
 * their digits.
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  options: { readonly contentType: string | null; readonly exactNumbers: boolean },
): z.output<Schema> {
  if (bytes.byteLength === 0) return parseInput(schema, {});
  requireJsonType(options.contentType);
  const parsed = parseExactJson(decodeUtf8(bytes));
  if (!parsed.ok)
    throw new AppError("invalid_json", `The body isn't valid JSON: ${parsed.message}.`);
  return parseInput(schema, options.exactNumbers ? parsed.value : JSON.parse(decodeUtf8(bytes)));
}

/** The query string, parsed by the schema. Each name may occur once. */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  params: URLSearchParams,
): z.output<Schema> {
  const names = [...params.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw invalidInput([
      { path: repeated, code: "duplicate", message: "occurs more than once", name: repeated },
    ]);
  return parseInput(schema, Object.fromEntries(params));
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
