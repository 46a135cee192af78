import type { DistinctHeaders } from "#lib/core/http-types.ts";
import { buildMappingContext, type MappingContext } from "#lib/core/template/mapping-context.ts";
import { classifyContentType } from "./content-kind.ts";
import { decodeBody } from "./decode-body.ts";
import { readPayload } from "./read-payload.ts";

/** A delivery as it is stored, as far as templates and filters can see it. */
export type DeliveryView = {
  readonly id: string;
  /** Unix time. */
  readonly receivedAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** JSON text of `[[name, value], …]`. */
  readonly headersJson: string;
  readonly contentType: string | null;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** As received: still compressed, if it was. */
  readonly body: Uint8Array;
};

/**
 * The names that an action sees of a stored delivery. The worker and the preview both come through here, so that what
 * is shown is what is sent. Never fails: a body that can't be read gives a context without `payload`, which says why.
 */
export async function buildDeliveryContext(
  delivery: DeliveryView,
  hook: { readonly id: string; readonly name: string },
): Promise<MappingContext> {
  const headers = toDistinctHeaders(delivery.headersJson);
  const { id, eventId, eventType, path, query, method } = delivery;
  return buildMappingContext({
    ...(await readBody(delivery, headers)),
    headers,
    query,
    path,
    method,
    delivery: { id, receivedAt: new Date(delivery.receivedAtMs).toISOString(), eventId, eventType },
    hook,
  });
}

type BodyView = { payloadText: string } | { payload: Readonly<Record<string, string | string[]>> } | object;

async function readBody({ body, contentType }: DeliveryView, headers: DistinctHeaders): Promise<BodyView> {
  const decoded = await decodeBody(body, headers["content-encoding"]?.join(", ") ?? null);
  if (!decoded.ok || decoded.bytes.byteLength === 0) return {};
  const kind = classifyContentType(contentType);
  // Not by `readPayload`, which parses: the context parses by itself, keeping the digits of numbers.
  if (kind === "json" || kind === "maybe-json") return { payloadText: utf8.decode(decoded.bytes) };
  const payload = readPayload(decoded.bytes, contentType);
  return payload.kind === "form" ? { payload: payload.value } : {};
}

const utf8 = new TextDecoder("utf-8");

/** `[[name, value], …]` as stored, by lower-case name. */
export function toDistinctHeaders(headersJson: string): DistinctHeaders {
  const pairs = JSON.parse(headersJson) as readonly (readonly [name: string, value: string])[];
  const distinct: Record<string, string[]> = Object.create(null);
  for (const [name, value] of pairs) {
    const known = distinct[name.toLowerCase()];
    if (known === undefined) distinct[name.toLowerCase()] = [value];
    else known.push(value);
  }
  return distinct;
}
