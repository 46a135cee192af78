import { type BatchEvent, batchContentType } from "#lib/core/batch/split-batch.ts";
import { newId } from "#lib/ids.ts";
import type { NewDelivery } from "./store-deliveries.ts";

/**
 * The request as a delivery of status `batch`, which keeps the bytes as they were sent and signed, and each of its events as one of its
 * own, with a body of its own: whoever looks at an event finds what would have come if it had come alone. Null where so many events would
 * repeat so long headers that they are too much for one statement.
 */
export function toBatch(whole: NewDelivery, events: readonly BatchEvent[]): NewDelivery | null {
  const headersJson = toEventHeaders(whole.headersJson);
  const bytes = events.reduce((sum, { body }) => sum + body.byteLength + headersJson.length, 0);
  if (bytes > mostEventBytes) return null;
  return {
    ...whole,
    status: "batch",
    events: events.map(({ body, eventId, eventType, keyHash }) => ({
      ...whole,
      id: newId(),
      headersJson,
      contentType: batchContentType,
      body,
      eventId,
      eventType,
      keyHash,
    })),
  };
}

const mostEventBytes = 32 * 1024 * 1024;

/** Those of the request, but for what they say of its body. */
function toEventHeaders(headersJson: string): string {
  const pairs = JSON.parse(headersJson) as readonly (readonly [string, string])[];
  const kept = pairs.filter(([name]) => !aboutBody.has(name.toLowerCase()));
  return JSON.stringify([...kept, ["Content-Type", batchContentType]]);
}

const aboutBody = new Set(["content-type", "content-encoding", "content-length", "transfer-encoding"]);
