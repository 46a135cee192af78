import type { DistinctHeaders } from "./http-types.ts";
import { classifyContentType } from "./payload/content-kind.ts";
import { decodeBody } from "./payload/decode-body.ts";
import { readPayload } from "./payload/read-payload.ts";
import { buildMappingContext, type MappingContext } from "./template/mapping-context.ts";

/** A stored delivery, as far as templates and filters can see it. */
export type DeliveryView = {
  readonly id: string;
  /** Unix time. */
  readonly receivedAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** In the order and letter case of the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly contentType: string | null;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** The bytes as sent, compressed if they were. */
  readonly body: Uint8Array;
};

/**
 * What the actions of a delivery see. The preview and the worker both use it, so that what is shown is what is sent.
 * Never fails: a body that can't be read gives a context without `payload` that says why.
 */
export async function readDeliveryContext(
  delivery: DeliveryView,
  hook: { readonly id: string; readonly name: string },
): Promise<MappingContext> {
  const headers = toDistinctHeaders(delivery.headers);
  const encoding = headers["content-encoding"]?.join(", ") ?? null;
  const { id, eventId, eventType, method, path, query } = delivery;
  const receivedAt = new Date(delivery.receivedAtMs).toISOString();
  const seen = { method, path, query, headers, hook, delivery: { id, receivedAt, eventId, eventType } };
  // Nothing to wait for in by far the most cases.
  if (encoding === null)
    return buildMappingContext({ ...seen, ...readBody(delivery.body, delivery.contentType) });
  const decoded = await decodeBody(delivery.body, encoding);
  const payload = decoded.ok ? readBody(decoded.bytes, delivery.contentType) : {};
  return buildMappingContext({ ...seen, ...payload });
}

/** JSON goes on as text, since it has to be parsed exactly; a form has its parsed view already. */
function readBody(body: Uint8Array, contentType: string | null) {
  const kind = classifyContentType(contentType);
  if (body.byteLength === 0 || kind === "other") return {};
  if (kind !== "form" && kind !== "multipart") return { payloadText: utf8.decode(body) };
  const payload = readPayload(body, contentType);
  if (payload.kind === "none") return {};
  return payload.kind === "form"
    ? { payload: payload.value, payloadChars: body.byteLength }
    : { payloadText: payload.text };
}

const utf8 = new TextDecoder("utf-8");

/** Header values by lower-case name, without a prototype, as `node:http` gives them. */
export function toDistinctHeaders(
  headers: readonly (readonly [name: string, value: string])[],
): DistinctHeaders {
  const distinct: Record<string, string[]> = Object.create(null);
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = distinct[key];
    if (known === undefined) distinct[key] = [value];
    else known.push(value);
  }
  return distinct;
}
