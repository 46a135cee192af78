import { createHash } from "node:crypto";
import { findItems, findValue, skipValue } from "#lib/core/mapping/json/walk-json.ts";
import { type Payload, readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import type { IdentifiableRequest } from "#lib/core/verify/dedupe/content-hash.ts";
import {
  type EventIdentity,
  identifyEvent,
  readEventType,
  toShortHash,
} from "#lib/core/verify/dedupe/identify-event.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";
import type { BatchRule, Combination } from "./batch-rule.ts";
import { readToken } from "./read-token.ts";

/**
 * One event of a batch, to be stored as its own delivery. Its body is JSON even if the batch
 * wasn't.
 */
export type BatchEvent = EventIdentity & {
  /** UTF-8, exactly as the provider wrote it: no rounded numbers, no reordered keys. */
  readonly body: Uint8Array;
  readonly payload: Payload;
  readonly eventType: string | null;
  /** Hash of the signed bytes and the position, if neither id nor content identifies the event. */
  readonly replayHash: Buffer | null;
};

/** `whole`: the body stays a single delivery. */
type SplitBatch =
  | { readonly kind: "events"; readonly events: readonly BatchEvent[] }
  | { readonly kind: "whole"; readonly reason: "not_a_batch" | "empty" | "too_many" | "too_large" };

/**
 * More than any provider sends (Meta documents 1,000; SendGrid's 1.5 MB are about 5,000), and few
 * enough to commit in one statement before the provider times out.
 */
export const maxBatchEvents = 10_000;

/** The limit in characters. The envelope is repeated for each event, so it has to be small. */
const maxEnvelopeLength = 1024;

export const batchContentType = "application/json";

/**
 * Splits a body into its events, in order. `payload` is already decoded from its Content-Encoding;
 * `batch` is the identity of the whole body, and `body` its bytes, in which a token may be. Never
 * throws: a body that doesn't match the rule stays whole.
 */
export function splitBatch(
  rule: BatchRule,
  payload: Payload,
  batch: BatchIdentity,
  body: Uint8Array = noBytes,
): SplitBatch {
  const source = readSource(rule, payload, body);
  if (source === null) return whole("not_a_batch");
  const { text, path } = source;
  const start = findValue(text, path === "" ? [] : readSteps(path));
  const items = start === null ? null : listItems(rule, text, start);
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
    // An item that isn't an object isn't an event, so this isn't the list that the rule describes.
    if (item === null) return whole("not_a_batch");
    const identity = identifyItem(rule, item, batch, events.length);
    events.push({
      ...wrap(item, before, after),
      ...identity,
      eventType: readItemType(rule.eventType, item),
    });
  }
  return { kind: "events", events };
}

const noBytes = new Uint8Array();

function listItems({ isOne, isListOrOne }: BatchRule, text: string, start: number) {
  if (isOne === true) return [[start, text.length] as const];
  if (isListOrOne === true && text[start] === "{")
    return [[start, skipValue(text, start)] as const];
  return findItems(text, start, maxBatchEvents + 1);
}

/** The JSON text with the list, and the path to it. Invalid JSON is not split. */
function readSource(
  { list }: BatchRule,
  payload: Payload,
  body: Uint8Array,
): { text: string; path: string } | null {
  if (list.from === "token") {
    const inside = readToken(list, payload, body);
    return inside !== null && isJson(inside) ? { text: inside, path: "" } : null;
  }
  if (list.from === "body")
    return payload.kind === "json" && payload.isUtf8
      ? { text: payload.text, path: list.path }
      : null;
  const text = payload.kind === "none" ? undefined : payload.fields?.[list.name];
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

/** An item as a request, for identifying it. */
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

type BatchIdentity = Pick<BatchEvent, "keyHash" | "replayHash" | "withinSeconds">;
type ItemIdentity = Pick<BatchEvent, "eventId" | "keyHash" | "replayHash" | "withinSeconds">;

function identifyItem(
  rule: BatchRule,
  item: IdentifiableRequest,
  batch: BatchIdentity,
  place: number,
): ItemIdentity {
  for (const paths of rule.eventId) {
    const parts = paths.map((path) => identifyEvent([{ from: "body", path }], item));
    const hashes = parts.flatMap(({ keyHash }) => keyHash ?? []);
    const [keyHash] = hashes;
    if (keyHash === undefined || hashes.length < paths.length) continue;
    const texts = parts.map(({ eventId }) => eventId);
    const content = rule.except === undefined ? null : identifyContent(rule, item).keyHash;
    if (content !== null) texts.push(toShortHash(content));
    return {
      eventId: texts.join(":").slice(0, maxIdLength),
      keyHash: content ?? (hashes.length === 1 ? keyHash : hashOf(...hashes)),
      replayHash: null,
    };
  }
  if (rule.otherwise === "content") return { ...identifyContent(rule, item), replayHash: null };
  const at = (hash: Buffer | null) => (hash === null ? null : hashOf(hash, String(place)));
  return { ...batch, eventId: null, keyHash: at(batch.keyHash), replayHash: at(batch.replayHash) };
}

function identifyContent({ except }: BatchRule, item: IdentifiableRequest): EventIdentity {
  return identifyEvent([{ from: "content", except }], item);
}

function hashOf(...pieces: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

function readItemType(
  combinations: readonly Combination[],
  item: IdentifiableRequest,
): string | null {
  for (const paths of combinations) {
    const parts = paths.flatMap((path) => readEventType([{ from: "body", path }], item) ?? []);
    if (parts.length === paths.length) return parts.join(".").slice(0, maxIdLength);
  }
  return null;
}

// The length of the columns in lists. The key is a hash of the exact values.
const maxIdLength = 255;

function whole(reason: Extract<SplitBatch, { kind: "whole" }>["reason"]): SplitBatch {
  return { kind: "whole", reason };
}
