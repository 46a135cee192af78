/** Single fields of a body, if it is JSON and not too large to look at. */
const largestBytes = 256 * 1024;

export class BodyShape {
  readonly #body: Uint8Array;
  #json: { readonly value: unknown } | undefined;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  /** A text, number or boolean as text; "" for an object or array that is there; null for nothing. */
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
  if (body.byteLength > largestBytes) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    // A body that is not JSON has no fields: its headers have to do.
    return undefined;
  }
}
