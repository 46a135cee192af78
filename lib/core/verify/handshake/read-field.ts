import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import type { Payload } from "#lib/core/mapping/payload/read-payload.ts";
import { readPath } from "#lib/core/verify/dedupe/body-path.ts";
import type { FieldPlace } from "./handshake.ts";

/** The parts of a request that handshakes read. */
export type HandshakeRequest = {
  readonly method: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  readonly headers: DistinctHeaders;
  /** Null if the body hasn't been read. */
  readonly payload: Payload | null;
};

/** One value as text. Null if it is absent, empty, repeated, or neither text nor an integer. */
export function readField(
  place: FieldPlace,
  { query, headers, payload }: HandshakeRequest,
): string | null {
  switch (place.from) {
    case "query":
      return query === "" ? null : single(new URLSearchParams(query).getAll(place.name));
    case "header":
      return single(headers[place.name] ?? []);
    case "form":
      return payload?.kind === "form" ? toText(readFormField(payload.fields, place.name)) : null;
    case "body":
      return payload?.kind === "json" ? toText(readPath(payload.value, place.path)) : null;
    default:
      return place satisfies never;
  }
}

/** True if the field is present, with a value of any type. */
export function hasField(
  place: FieldPlace,
  { query, headers, payload }: HandshakeRequest,
): boolean {
  switch (place.from) {
    case "query":
      return new URLSearchParams(query).has(place.name);
    case "header":
      return headers[place.name] !== undefined;
    case "form":
      return payload?.kind === "form" && readFormField(payload.fields, place.name) !== undefined;
    case "body":
      return payload?.kind === "json" && (readPath(payload.value, place.path) ?? null) !== null;
    default:
      return place satisfies never;
  }
}

/** The whole name, which is no path: `hub.challenge` is one field. */
function readFormField(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function single(values: readonly string[]): string | null {
  const [value = ""] = values;
  return values.length === 1 && value !== "" ? value : null;
}

function toText(value: unknown): string | null {
  if (typeof value === "string" && value !== "") return value;
  return Number.isSafeInteger(value) ? String(value) : null;
}
