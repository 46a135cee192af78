/** A request as the catch listener passes it on, for the tests of this folder. */
import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";

export const testUrl = "https://hooks.example/catch/acme/k3y";

export function requestOf(
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | Uint8Array,
  rest: Partial<VerifyRequest> = {},
): VerifyRequest {
  return {
    method: "POST",
    url: testUrl,
    query: "",
    headers: distinct(headers),
    body: typeof body === "string" ? Buffer.from(body, "utf8") : body,
    ...rest,
  };
}

/** The same bytes with one bit flipped; if empty, one byte. */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(1);
  const flipped = Uint8Array.from(bytes);
  const index = Math.floor(bit / 8) % bytes.length;
  flipped[index] = (flipped[index] ?? 0) ^ (1 << (bit % 8));
  return flipped;
}

function distinct(headers: Readonly<Record<string, string | readonly string[]>>): DistinctHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    typeof value === "string" ? [value] : [...value],
  ]);
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}
