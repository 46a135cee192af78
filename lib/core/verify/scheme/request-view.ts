/**
 * Reads single values of a request for verification. Parses only what a scheme asks for. Never
 * throws, since the bytes are untrusted.
 */

import { decodeUrlText } from "#lib/core/api/http/decode-url-text.ts";
import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import { isDeeperThan } from "#lib/core/mapping/json/is-deeper-than.ts";
import { readStep } from "#lib/core/mapping/json/read-value.ts";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import { maxPayloadDepth } from "#lib/core/mapping/payload/parse-json-text.ts";
import { readPath } from "#lib/core/verify/dedupe/body-path.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";
import type { TokenSource } from "#lib/schema/receive/verification.ts";

export type VerifyRequest = {
  readonly method: string;
  /** The public URL from configuration. Never built from `Host` or `X-Forwarded-*`. */
  readonly url: string;
  readonly headers: DistinctHeaders;
  /** The bytes exactly as received. */
  readonly body: Uint8Array;
  /** The raw query string, without `?`. */
  readonly query: string;
};

/** `repeated`: the header, form field, or parameter was sent more than once. */
export type Reading =
  | { readonly found: "one"; readonly value: string }
  | typeof missing
  | typeof repeated;

const missing = { found: "none" } as const;
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

/** Caches the parsed body, form, and query of one request. */
export class RequestView {
  readonly request: VerifyRequest;
  #json: { value: unknown } | undefined;
  #form: { fields: URLSearchParams | null } | undefined;
  #query: URLSearchParams | undefined;

  constructor(request: VerifyRequest) {
    this.request = request;
  }

  read(source: TokenSource, parts: Parts | null): Reading {
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
      case "path":
        return single(readSegment(this.request.url));
      default:
        return source satisfies never;
    }
  }

  /**
   * The values at a path in which `*` stands for every item of a list: `value.*.clientState`. One
   * result per item, and a missing one for an empty list or no list.
   */
  readEach(path: string): readonly Reading[] {
    let values: readonly unknown[] = [this.#readJson()];
    for (const step of readSteps(path)) {
      values = values.flatMap((value) => {
        if (step !== "*") return [readStep(value, step)];
        return Array.isArray(value) && value.length > 0 ? (value as unknown[]) : [undefined];
      });
    }
    return values.map(toReading);
  }

  /**
   * Names and values of the form without separators, sorted by name. Each distinct value counts
   * once. Null: too many.
   */
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
    return toReading(readPath(this.#readJson(), path));
  }

  #readJson(): unknown {
    this.#json ??= { value: parseJson(this.request.body) };
    return this.#json.value;
  }
}

function toReading(value: unknown): Reading {
  if (typeof value === "string" && value !== "") return { found: "one", value };
  // Beyond 2^53 the original digits are lost, so they can't be verified.
  return Number.isSafeInteger(value) ? { found: "one", value: String(value) } : missing;
}

/** The name of a source in messages. Uses only the scheme, never the request. */
export function describeSource(source: TokenSource): string {
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
    case "path":
      return "the path after the catch URL";
    default:
      return source satisfies never;
  }
}

/** The first segment after the catch URL, decoded. */
function readSegment(url: string): readonly string[] {
  const found = /^[a-z]+:\/\/[^/?#]*\/catch\/[^/?#]+\/[^/?#]+\/([^/?#]+)/i.exec(url)?.[1];
  if (found === undefined) return [];
  const text = decodeUrlText(found);
  // Different bytes that aren't UTF-8 are the same text.
  return text.includes("\ufffd") ? [] : [text];
}

function single(values: readonly string[]): Reading {
  const [value] = values;
  if (values.length > 1) return repeated;
  return value === undefined || value === "" ? missing : { found: "one", value };
}

/** Parses a body for schemes that sign its fields. Null if it isn't a JSON object. */
export function parseJsonObject(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  const value = parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return value as Record<string, unknown>;
}

/**
 * The largest body of a provider that signs fields instead of bytes is a few kilobytes. A body of
 * one megabyte takes some 20 ms.
 */
const maxFieldsBytes = 1024 * 1024;

function parseJson(body: Uint8Array): unknown {
  // The body is still unverified, so expensive bodies aren't parsed.
  if (body.byteLength > maxFieldsBytes) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return isDeeperThan(text, maxPayloadDepth) ? undefined : JSON.parse(text);
  } catch {
    // The body isn't JSON, so it has no fields. The caller reports the missing one.
    return undefined;
  }
}
