import { readPath } from "#lib/core/dedupe/read-path.ts";
import type { DistinctHeaders } from "#lib/core/http-types.ts";
import type { Payload } from "#lib/core/payload/read-payload.ts";
import type { FieldPlace } from "./handshake.ts";

/** A request as far as a handshake can see it. */
export type HandshakeRequest = {
  readonly method: string;
  /** Without the question mark, as sent. */
  readonly query: string;
  readonly headers: DistinctHeaders;
  /** Null while the body has not been read: fields of it are not there. */
  readonly payload: Payload | null;
};

/** One value as text; null where it is not there, empty, not a single one, or neither text nor a whole number. */
export function readField(place: FieldPlace, { query, headers, payload }: HandshakeRequest): string | null {
  switch (place.from) {
    case "query":
      return query === "" ? null : single(new URLSearchParams(query).getAll(place.name));
    case "header":
      return single(headers[place.name] ?? []);
    case "form":
      return payload?.kind === "form" ? toText(readPath(payload.value, place.name)) : null;
    case "body":
      return payload?.kind === "json" ? toText(readPath(payload.value, place.path)) : null;
    default:
      return place satisfies never;
  }
}

function single(values: readonly string[]): string | null {
  const [value = ""] = values;
  return values.length === 1 && value !== "" ? value : null;
}

function toText(value: unknown): string | null {
  if (typeof value === "string" && value !== "") return value;
  return Number.isSafeInteger(value) ? String(value) : null;
}
