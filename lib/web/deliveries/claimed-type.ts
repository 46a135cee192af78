import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import type { DecodedBody } from "#lib/core/mapping/payload/decode-body.ts";
import { readUnpacked } from "#lib/core/mapping/payload/read-by-bytes.ts";
import { findPayloadField } from "#lib/core/providers/catalog/catalog.ts";
import { readEventType } from "#lib/core/verify/dedupe/identify-event.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import type { EventTypeSource } from "#lib/schema/receive/event-rules.ts";
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
