import { newId } from "#lib/base/ids.ts";
import type { HookEvent } from "#lib/core/sending/hook-event.ts";
import { type BatchEvent, batchContentType } from "#lib/core/verify/batch/split-batch.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { toPublishedDelivery } from "./published-delivery.ts";

type BatchPart = Omit<BatchEvent, "payload"> & { readonly published?: HookEvent };

/**
 * Splits a request with several events: one delivery of status `batch` keeps the signed bytes, and
 * each event becomes a delivery with its own body, as if it had come alone. Null if its events and
 * headers are too large for one statement.
 */
export function toBatch(whole: NewDelivery, events: readonly BatchPart[]): NewDelivery | null {
  const headersJson = toEventHeaders(whole.headersJson);
  const bytes = events.reduce((sum, { body }) => sum + body.byteLength + headersJson.length, 0);
  if (bytes > maxEventBytes) return null;
  return {
    ...whole,
    status: "batch",
    events: events.map(
      ({ body, eventId, eventType, keyHash, replayHash, withinSeconds, published }) => ({
        ...whole,
        id: newId(),
        headersJson,
        contentType: batchContentType,
        body,
        eventId,
        eventType,
        keyHash,
        replayHash,
        withinSeconds,
        published: toPublishedDelivery(published, whole.receivedAtMs),
      }),
    ),
  };
}

const maxEventBytes = 32 * 1024 * 1024;

/** The headers of the request, except for the ones that describe its body. */
function toEventHeaders(headersJson: string): string {
  const pairs = JSON.parse(headersJson) as readonly (readonly [string, string])[];
  const kept = pairs.filter(([name]) => !aboutBody.has(name.toLowerCase()));
  return JSON.stringify([...kept, ["Content-Type", batchContentType]]);
}

const aboutBody = new Set([
  "content-type",
  "content-encoding",
  "content-length",
  "transfer-encoding",
]);
