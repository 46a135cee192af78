import { hopsHeader, nextHops } from "#lib/core/http/hops.ts";
import type { DistinctHeaders } from "#lib/core/http/http-types.ts";
import { classifyContentType } from "#lib/core/payload/content-kind.ts";
import { decodeBody } from "#lib/core/payload/decode-body.ts";
import { decodeText } from "#lib/core/payload/decode-text.ts";
import { readDeclared } from "#lib/core/payload/read-payload.ts";
import { readUtf8 } from "#lib/core/payload/read-utf8.ts";
import {
  buildMappingContext,
  type MappingContext,
  type MappingInput,
} from "#lib/core/template/mapping-context.ts";

/** The parts of a stored delivery that templates and filters can read. */
export type DeliveryView = {
  readonly id: string;
  /** Unix time. */
  readonly receivedAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Headers in their original order and letter case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly contentType: string | null;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** A sample sent by Catchment. */
  readonly isSample: boolean;
  /** The bytes as sent, possibly compressed. */
  readonly body: Uint8Array;
};

/**
 * The context of a delivery's actions, shared by the preview and the worker. Never fails: an
 * unreadable body gives a context without `payload` that says why.
 */
export async function readDeliveryContext(
  delivery: DeliveryView,
  hook: { readonly id: string; readonly name: string },
): Promise<MappingContext> {
  const encoding = listValues(delivery.headers, "content-encoding")?.join(", ") ?? null;
  const { method, path, query, headers, body } = delivery;
  const seen = {
    raw: { method, query, headers, body },
    path,
    readHeaders: () => toDistinctHeaders(headers),
    hops: nextHops({ [lowerHopsHeader]: listValues(headers, lowerHopsHeader) }),
    hook,
    readDelivery: () => readNames(delivery),
  };
  // Synchronous in most cases.
  if (encoding === null) return build(seen, delivery.body, delivery.contentType);
  const decoded = await decodeBody(delivery.body, encoding);
  return decoded.ok
    ? build(seen, decoded.bytes, delivery.contentType)
    : buildMappingContext({ ...seen, readRawBody: () => null });
}

type Seen = Omit<
  MappingInput,
  "readRawBody" | "payload" | "payloadText" | "payloadChars" | "isDamaged"
>;

function build(seen: Seen, body: Uint8Array, contentType: string | null): MappingContext {
  return buildMappingContext({
    ...seen,
    readRawBody: () => readUtf8(body),
    ...readBody(body, contentType),
  });
}

/** JSON stays text, since it has to be parsed exactly. A form is already parsed. */
function readBody(body: Uint8Array, contentType: string | null) {
  const kind = classifyContentType(contentType);
  if (body.byteLength === 0 || kind === "other") return {};
  if (kind !== "form" && kind !== "multipart") {
    const { text, isDamaged } = decodeText(body, contentType);
    return { payloadText: text, isDamaged };
  }
  const { payload, isDamaged } = readDeclared(body, contentType);
  if (payload.kind === "none") return {};
  return payload.kind === "form"
    ? { payload: payload.value, payloadChars: body.byteLength, isDamaged }
    : { payloadText: payload.text, isDamaged };
}

function readNames({ id, receivedAtMs, eventId, eventType, isSample }: DeliveryView) {
  return { id, receivedAt: new Date(receivedAtMs).toISOString(), eventId, eventType, isSample };
}

const lowerHopsHeader = hopsHeader.toLowerCase();

/** Undefined: no such header. */
function listValues(headers: DeliveryView["headers"], lowerName: string): string[] | undefined {
  let values: string[] | undefined;
  for (const [name, value] of headers) {
    if (name.length !== lowerName.length || name.toLowerCase() !== lowerName) continue;
    values ??= [];
    values.push(value);
  }
  return values;
}

/** Header values by lowercase name, without a prototype, like `node:http`. */
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
