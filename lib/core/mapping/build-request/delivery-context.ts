import { hopsHeader, nextHops } from "#lib/core/api/http/hops.ts";
import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import { classifyContentType } from "#lib/core/mapping/payload/content-kind.ts";
import { decodeBody } from "#lib/core/mapping/payload/decode-body.ts";
import { decodeText } from "#lib/core/mapping/payload/decode-text.ts";
import { startsLikeXml } from "#lib/core/mapping/payload/decode-xml.ts";
import { readDeclared } from "#lib/core/mapping/payload/read-payload.ts";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import {
  buildMappingContext,
  type MappingContext,
  type MappingInput,
} from "#lib/core/mapping/template/mapping-context.ts";
import type { HookView } from "./hook-view.ts";

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
  hook: HookView,
): Promise<MappingContext> {
  const encoding = listValues(delivery.headers, "content-encoding")?.join(", ") ?? null;
  const { method, path, query, headers, body } = delivery;
  const seen = {
    raw: { method, query, headers, body },
    path,
    readHeaders: () => toDistinctHeaders(headers),
    hops: nextHops({ [lowerHopsHeader]: listValues(headers, lowerHopsHeader) }),
    hook: { id: hook.id, name: hook.name },
    readDelivery: () => readNames(delivery),
  };
  // Synchronous in most cases.
  const read = { body: delivery.body, contentType: delivery.contentType, hook };
  if (encoding === null) return build(seen, read);
  const decoded = await decodeBody(delivery.body, encoding);
  return decoded.ok
    ? build(seen, { ...read, body: decoded.bytes })
    : buildMappingContext({ ...seen, readRawBody: () => null });
}

type Seen = Omit<
  MappingInput,
  "readRawBody" | "payload" | "payloadText" | "payloadProblem" | "payloadChars" | "isDamaged"
>;

type Sent = {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  readonly hook: HookView;
};

function build(seen: Seen, sent: Sent): MappingContext {
  return buildMappingContext({
    ...seen,
    readRawBody: () => readUtf8(sent.body),
    ...readBody(sent),
  });
}

/** JSON stays text, since it has to be parsed exactly. A form of texts is already parsed. */
function readBody({ body, contentType, hook }: Sent) {
  if (body.byteLength === 0) return {};
  const kind = classifyContentType(contentType);
  if (kind === "json" || (kind === "maybe-json" && !startsLikeXml(body))) {
    const { text, isDamaged } = decodeText(body, contentType);
    return { payloadText: text, isDamaged };
  }
  const { payload, isDamaged } = readDeclared(body, contentType, hook.payloadField);
  if (payload.kind === "none") return { payloadProblem: payload.reason };
  return payload.kind === "form" && payload.text === null
    ? { payload: payload.fields, payloadChars: body.byteLength, isDamaged }
    : { payloadText: payload.text ?? "", isDamaged };
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
