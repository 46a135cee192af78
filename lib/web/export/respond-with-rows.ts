import type { RowSource } from "#lib/web/rest/route/row-source.ts";
import { mediaTypes } from "./row-format.ts";
import { type StreamOptions, streamRows } from "./stream-rows.ts";

/** A response that streams rows. */
export function respondWithRows(
  rows: RowSource,
  options: StreamOptions & { readonly headers?: Readonly<Record<string, string>> },
): Response {
  return new Response(streamRows(rows, options), {
    headers: {
      "content-type": mediaTypes[options.format],
      // Compression would hold rows back, and a proxy must not collect them.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      ...options.headers,
    },
  });
}
