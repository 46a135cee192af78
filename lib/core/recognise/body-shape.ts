/** Reads single fields of a JSON body that isn't too large. */
const maxBytes = 256 * 1024;

export class BodyShape {
  readonly #body: Uint8Array;
  #json: { readonly value: unknown } | undefined;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  /** A string, number, or boolean as text; "" for an object or array; null if absent. */
  read(path: string): string | null {
    this.#json ??= { value: parse(this.#body) };
    let value = this.#json.value;
    for (const key of path.split(".")) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null;
      value = (value as Record<string, unknown>)[key];
    }
    if (value === null || value === undefined) return null;
    return typeof value === "object" ? "" : String(value);
  }
}

function parse(body: Uint8Array): unknown {
  if (body.byteLength > maxBytes) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    // Not JSON: no fields.
    return undefined;
  }
}
