/** Reads single fields of a JSON or form body that isn't too large. */
import { parseForm } from "#lib/core/payload/parse-form.ts";

const maxBytes = 256 * 1024;

export class BodyShape {
  readonly #body: Uint8Array;
  #parsed: Parsed | undefined;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  /**
   * A string, number, or boolean as text; "" for an object or array; null if absent. In a form, a
   * path is the name of a field.
   */
  read(path: string): string | null {
    this.#parsed ??= parse(this.#body);
    if (this.#parsed instanceof URLSearchParams) return this.#parsed.get(path);
    let value = this.#parsed.json;
    for (const key of path.split(".")) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null;
      value = (value as Record<string, unknown>)[key];
    }
    if (value === null || value === undefined) return null;
    return typeof value === "object" ? "" : String(value);
  }
}

type Parsed = { readonly json: unknown } | URLSearchParams;

const nothing = { json: undefined } as const;

function parse(body: Uint8Array): Parsed {
  if (body.byteLength > maxBytes) return nothing;
  const text = decode(body);
  if (text === null) return nothing;
  try {
    return { json: JSON.parse(text) };
  } catch {
    // The body isn't JSON. It may be a form, because any text can be one.
    return parseForm(text) ?? nothing;
  }
}

function decode(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    // The body isn't text, so it has no fields.
    return null;
  }
}
