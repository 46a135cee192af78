import { toDistinctHeaders } from "#lib/core/build-request/delivery-context.ts";
import { findPayloadField } from "#lib/core/catalog/catalog.ts";
import { readEventType } from "#lib/core/dedupe/identify-event.ts";
import type { DecodedBody } from "#lib/core/payload/decode-body.ts";
import { readUnpacked } from "#lib/core/payload/read-by-bytes.ts";
import type { EventTypeSource } from "#lib/schema/event-rules.ts";
import { listSources } from "#lib/schema/list-sources.ts";
import type { DeliveryRecord } from "#lib/services/deliveries/read-deliveries.ts";
import type { HookRecord } from "#lib/services/hooks/read-hooks.ts";

/**
 * The event type that a rejected delivery claims to have. It is only shown: nothing is stored of
 * what isn't verified. Null if there is none, or the body was cut.
 */
export function readClaimedType(
  { headersJson, body, contentType, provider, path, query }: DeliveryRecord,
  { eventType }: Pick<HookRecord, "eventType">,
  decoded: DecodedBody,
): string | null {
  const bytes = decoded.ok ? decoded.bytes : body;
  return readEventType(listSources<EventTypeSource>(eventType), {
    headers: toDistinctHeaders(JSON.parse(headersJson)),
    body: bytes,
    payload: readUnpacked({ bytes: body, decoded }, contentType, findPayloadField(provider))
      .payload,
    path,
    query,
  });
}
