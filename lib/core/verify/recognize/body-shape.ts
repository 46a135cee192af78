/** Reads single fields of a JSON, XML, or form body that isn't too large. */

import { readValueAt } from "#lib/core/mapping/json/read-value.ts";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import { readXml } from "#lib/core/mapping/payload/read-xml.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";

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
    const value = readValueAt(this.#parsed.json, readSteps(path));
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
    const xml = /^\s*</.test(text) ? readXml(text) : null;
    return xml?.ok === true ? { json: xml.value } : (parseForm(text) ?? nothing);
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
