/**
 * Reads single values out of a request for verification. Nothing is parsed before a scheme asks for it,
 * and what can't be read is a value, never an exception: this runs on bytes of strangers.
 */
import type { DistinctHeaders } from "#lib/core/http-types.ts";
import { parseForm } from "#lib/core/payload/parse-form.ts";
import type { ValueSource } from "#lib/schema/verification.ts";

export type VerifyRequest = {
  readonly method: string;
  /** The public URL that the sender was given, from configuration. Never built from `Host` or `X-Forwarded-*`. */
  readonly url: string;
  readonly headers: DistinctHeaders;
  /** The bytes exactly as received. */
  readonly body: Uint8Array;
  /** The raw query string, without `?`. */
  readonly query: string;
};

/** `repeated` is said of headers, form fields and parameters that came more than once. */
export type Reading = { readonly found: "one"; readonly value: string } | typeof missing | typeof repeated;

export const missing = { found: "none" } as const;
export const repeated = { found: "many" } as const;

/** Keys and values of a parsed signature header. */
export type Parts = ReadonlyMap<string, readonly string[]>;

/** An empty value counts as missing. Header values are read as latin1, as node gives them. */
export function readHeader(headers: DistinctHeaders, name: string): Reading {
  const values = headers[name];
  if (!Array.isArray(values)) return missing;
  if (values.length > 1) return repeated;
  const [value] = values;
  return typeof value === "string" && value !== "" ? { found: "one", value } : missing;
}

/** Remembers the parsed body, form and query between the values of one request. */
export class RequestView {
  readonly request: VerifyRequest;
  #json: { value: unknown } | undefined;
  #form: { fields: URLSearchParams | null } | undefined;
  #query: URLSearchParams | undefined;

  constructor(request: VerifyRequest) {
    this.request = request;
  }

  read(source: ValueSource, parts: Parts | null): Reading {
    switch (source.from) {
      case "header":
        return readHeader(this.request.headers, source.name);
      case "body":
        return this.#readBody(source.path);
      case "form":
        return single(this.#readForm()?.getAll(source.name) ?? []);
      case "query":
        this.#query ??= new URLSearchParams(this.request.query);
        return single(this.#query.getAll(source.name));
      case "part":
        return single(parts?.get(source.key) ?? []);
      default:
        return source satisfies never;
    }
  }

  /** Names and values of a form with nothing between them, sorted by name; each value of a name counts once, sorted. Null: too many. */
  readSortedForm(): string | null {
    const form = this.#readForm();
    if (form === null) return null;
    const byName = Map.groupBy(form, ([name]) => name);
    return [...byName.keys()]
      .toSorted()
      .flatMap((name) => {
        const values = new Set((byName.get(name) ?? []).map(([, value]) => value));
        return [...values].toSorted().map((value) => name + value);
      })
      .join("");
  }

  #readForm(): URLSearchParams | null {
    this.#form ??= { fields: parseForm(Buffer.from(this.request.body).toString("utf8")) };
    return this.#form.fields;
  }

  #readBody(path: string): Reading {
    this.#json ??= { value: parseJson(this.request.body) };
    let value = this.#json.value;
    for (const key of path.split(".")) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return missing;
      value = (value as Record<string, unknown>)[key];
    }
    if (typeof value === "string" && value !== "") return { found: "one", value };
    // Beyond 2^53 the digits as sent are lost, and they are what was signed.
    return Number.isSafeInteger(value) ? { found: "one", value: String(value) } : missing;
  }
}

/** For messages: where a value was looked for, from the scheme and never from the request. */
export function describeSource(source: ValueSource): string {
  switch (source.from) {
    case "header":
      return `the header ${source.name}`;
    case "body":
      return `the body field ${source.path}`;
    case "form":
      return `the form field ${source.name}`;
    case "query":
      return `the query parameter ${source.name}`;
    case "part":
      return `the part ${source.key} of the signature header`;
    default:
      return source satisfies never;
  }
}

function single(values: readonly string[]): Reading {
  const [value] = values;
  if (values.length > 1) return repeated;
  return value === undefined || value === "" ? missing : { found: "one", value };
}

/** For schemes that sign fields of the body. Null where it is no JSON object. */
export function parseJsonObject(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  const value = parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return value as Record<string, unknown>;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    // A body that is not JSON has no fields: the caller says which one is missing.
    return undefined;
  }
}
