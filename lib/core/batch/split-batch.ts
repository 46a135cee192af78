import { createHash } from "node:crypto";
import {
  type EventIdentity,
  type IdentifiableRequest,
  identifyEvent,
  readEventType,
} from "#lib/core/dedupe/identify-event.ts";
import { readPath } from "#lib/core/dedupe/read-path.ts";
import { findItems, findMember, skipSpace } from "#lib/core/json/walk-json.ts";
import { type Payload, readPayload } from "#lib/core/payload/read-payload.ts";
import type { BatchRule, Combination } from "./batch-rule.ts";

/** One event of a batch: what a delivery of its own is made of. Its body is JSON, whatever the batch came in. */
export type BatchEvent = EventIdentity & {
  /** UTF-8, the very characters that the sender wrote: no number is rounded, no key is moved. */
  readonly body: Uint8Array;
  readonly payload: Payload;
  readonly eventType: string | null;
};

/** `whole`: the body stays one delivery, and is judged as one of a sender without batches. */
export type SplitBatch =
  | { readonly kind: "events"; readonly events: readonly BatchEvent[] }
  | { readonly kind: "whole"; readonly reason: "not_a_batch" | "empty" | "too_many" | "too_large" };

/**
 * More than any sender puts into one body (Meta says 1,000; SendGrid's 1.5 MB are some 5,000), and few enough to
 * be committed in one statement within the time in which a sender waits for its answer.
 */
export const maxBatchEvents = 10_000;

/** What stands around the list is repeated for each event, so it has to be small. In characters. */
const maxEnvelopeLength = 1024;

export const batchContentType = "application/json";

/**
 * Takes a body apart into its events, in their order. `payload` is that of the body, already decoded from its
 * Content-Encoding; `batchKeyHash` is the identity of the body as one delivery. Never throws: what does not look like
 * the batch that the rule describes is left whole.
 */
export function splitBatch(rule: BatchRule, payload: Payload, batchKeyHash: Buffer | null): SplitBatch {
  const source = readSource(rule, payload);
  if (source === null) return whole("not_a_batch");
  const { text, path } = source;
  const start = findList(text, path);
  const items = start === null ? null : findItems(text, start, maxBatchEvents + 1);
  if (items === null) return whole("not_a_batch");
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return whole("empty");
  if (items.length > maxBatchEvents) return whole("too_many");

  const before = rule.keepsEnvelope ? text.slice(0, first[0]) : "";
  const after = rule.keepsEnvelope ? text.slice(last[1]) : "";
  if (before.length + after.length > maxEnvelopeLength) return whole("too_large");

  const events: BatchEvent[] = [];
  for (const [from, to] of items) {
    const item = toItem(text.slice(from, to));
    // An item that is no object is no event: then neither is this the list that the rule means.
    if (item === null) return whole("not_a_batch");
    const identity = identifyItem(rule, item, { batchKeyHash, place: events.length });
    events.push({ ...wrap(item, before, after), ...identity, eventType: readItemType(rule.eventType, item) });
  }
  return { kind: "events", events };
}

/** The JSON text that holds the list, and the path of the list in it. Damaged text is not taken apart. */
function readSource({ list }: BatchRule, payload: Payload): { text: string; path: string } | null {
  if (list.from === "body")
    return payload.kind === "json" && payload.isUtf8 ? { text: payload.text, path: list.path } : null;
  const text = payload.kind === "form" ? readPath(payload.value, list.name) : null;
  return typeof text === "string" && isJson(text) ? { text, path: "" } : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function findList(text: string, path: string): number | null {
  let at: number | null = skipSpace(text, 0);
  for (const key of path === "" ? [] : path.split(".")) {
    at = at === null ? null : findMember(text, at, key);
  }
  return at;
}

/** An item by itself, in the shape in which events are identified. */
function toItem(text: string): IdentifiableRequest | null {
  if (!text.startsWith("{")) return null;
  const body = Buffer.from(text, "utf8");
  return { headers: {}, body, payload: readPayload(body, batchContentType) };
}

function wrap({ body, payload }: IdentifiableRequest, before: string, after: string) {
  if (before === "" && after === "") return { body, payload };
  const wrapped = Buffer.concat([Buffer.from(before, "utf8"), body, Buffer.from(after, "utf8")]);
  return { body: wrapped, payload: readPayload(wrapped, batchContentType) };
}

type Place = { readonly batchKeyHash: Buffer | null; readonly place: number };

function identifyItem(
  rule: BatchRule,
  item: IdentifiableRequest,
  { batchKeyHash, place }: Place,
): EventIdentity {
  for (const paths of rule.eventId) {
    const parts = paths.map((path) => identifyEvent([{ from: "body", path }], item));
    const hashes = parts.flatMap(({ keyHash }) => keyHash ?? []);
    const [keyHash] = hashes;
    if (keyHash === undefined || hashes.length < paths.length) continue;
    return {
      eventId: parts
        .map(({ eventId }) => eventId)
        .join(":")
        .slice(0, maxIdLength),
      keyHash: hashes.length === 1 ? keyHash : hashOf(...hashes),
    };
  }
  if (rule.otherwise === "content") return identifyEvent([{ from: "content" }], item);
  return { eventId: null, keyHash: batchKeyHash === null ? null : hashOf(batchKeyHash, String(place)) };
}

function hashOf(...pieces: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

function readItemType(combinations: readonly Combination[], item: IdentifiableRequest): string | null {
  for (const paths of combinations) {
    const parts = paths.flatMap((path) => readEventType([{ from: "body", path }], item) ?? []);
    if (parts.length === paths.length) return parts.join(".").slice(0, maxIdLength);
  }
  return null;
}

// As long as the columns that lists show; the key is a hash of the exact values.
const maxIdLength = 255;

function whole(reason: Extract<SplitBatch, { kind: "whole" }>["reason"]): SplitBatch {
  return { kind: "whole", reason };
}
