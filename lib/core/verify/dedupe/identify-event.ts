import { createHash, hash } from "node:crypto";
import { shorten } from "#lib/base/shorten.ts";
import { readValueAt } from "#lib/core/mapping/json/read-value.ts";
import type { Payload } from "#lib/core/mapping/payload/read-payload.ts";
import type { PathStep } from "#lib/schema/field/value-path.ts";
import { nameInHash, readPath, toBodySteps } from "./body-path.ts";
import { hashBody, hashContent, hashRequest, type IdentifiableRequest } from "./content-hash.ts";
import { isEventShape } from "./event-shape.ts";
import { findNumberSource } from "./number-source.ts";
import { saysNothing } from "./says-nothing.ts";

/** The place where a hook finds the identity or the type of an event. */
export type IdentitySource = (
  | IdentityPart
  | { readonly from: "all"; readonly of: readonly IdentityPart[] }
) & {
  /**
   * The time during which the same value means the same event. Omitted: as long as it is stored.
   */
  readonly withinSeconds?: number | undefined;
};

/** `all`: the parts are combined, because one alone doesn't identify an event. */
export type IdentityPart =
  | NamedSource
  /** The body's `id`, if the body has the shape of an event. */
  | { readonly from: "event" }
  | { readonly from: "content"; readonly except?: readonly string[] | undefined }
  /** Everything that a sender without a signature says. See `hashRequest`. */
  | { readonly from: "request" };

/** A place of one value. */
type NamedSource =
  | { readonly from: "body"; readonly path: string }
  | { readonly from: "header"; readonly name: string }
  | { readonly from: "query"; readonly name: string }
  /** A segment of the path below the catch URL. The first is 1. */
  | { readonly from: "path"; readonly segment: number };

export type EventIdentity = {
  /**
   * Printable, for lists: at most 255 characters. Null if the identity is the content, or there is
   * none.
   */
  readonly eventId: string | null;
  /** SHA-256 of the exact identity, 32 bytes; null: the delivery is unique. */
  readonly keyHash: Buffer | null;
  /** After this time, a delivery with the same key is another event. */
  readonly withinSeconds?: number;
};

const noIdentity: EventIdentity = { eventId: null, keyHash: null };

/**
 * Decides which deliveries are the same event: the first source with a value counts. The hash
 * covers the source, the exact value, and its type. So order 7 and refund 7, `1` and `"1"`, or two
 * different lone surrogates stay different events, and an id of any length fits a unique key.
 */
export function identifyEvent(
  sources: readonly IdentitySource[],
  request: IdentifiableRequest,
): EventIdentity {
  for (const source of sources) {
    const found = source.from === "all" ? readAll(source.of, request) : readPart(source, request);
    if (found === null) continue;
    const { withinSeconds } = source;
    const { text, keyHash } = found;
    const eventId = text === null ? null : toPrintable(text);
    return withinSeconds === undefined ? { eventId, keyHash } : { eventId, keyHash, withinSeconds };
  }
  return noIdentity;
}

type Found = { readonly text: string | null; readonly keyHash: Buffer };

function readPart(source: IdentityPart, request: IdentifiableRequest): Found | null {
  switch (source.from) {
    case "content":
      return toUnnamed(hashContent(request, source.except));
    case "request":
      return toUnnamed(hashRequest(request));
    case "event":
      return isEvent(request) ? readNamed(idOfEvent, request) : null;
    default:
      return readNamed(source, request);
  }
}

function isEvent({ payload }: IdentifiableRequest): boolean {
  if (payload.kind === "none" || !isEventShape(payload.value)) return false;
  return !saysNothing(String(readPath(payload.value, "type")));
}

/** The same key as for a rule with this path, so that a hook may change from one to the other. */
const idOfEvent = { from: "body", path: "id" } as const;

function toUnnamed(keyHash: Buffer | null): Found | null {
  return keyHash === null ? null : { text: null, keyHash };
}

function readNamed(source: NamedSource, request: IdentifiableRequest): Found | null {
  const value = readValue(source, request);
  if (value === null || saysNothing(value.text)) return null;
  return { text: value.text, keyHash: hashValue(source, value, request) };
}

/** Null unless all are present. */
function readAll(parts: readonly IdentityPart[], request: IdentifiableRequest): Found | null {
  const combined = createHash("sha256").update("a");
  const texts: string[] = [];
  let hasName = false;
  for (const part of parts) {
    const found = readPart(part, request);
    if (found === null) return null;
    combined.update(found.keyHash);
    texts.push(found.text ?? toShortHash(found.keyHash));
    hasName ||= found.text !== null;
  }
  return { text: hasName ? texts.join(":") : null, keyHash: combined.digest() };
}

/**
 * Stands for the content in an event id, which people use as an idempotency key: without it, two
 * events with the same other parts would have one id.
 */
export function toShortHash(keyHash: Buffer): string {
  return keyHash.toString("hex", 0, 8);
}

/**
 * The keys under which an event with this id may be stored: in a body it may have been text or a
 * number.
 */
export function hashEventId(
  eventId: string,
  sources: readonly IdentitySource[],
): readonly Buffer[] {
  return sources.flatMap((source) => {
    if (source.from === "event") return hashEventId(eventId, [idOfEvent]);
    if (!isNamed(source)) return [];
    const types = source.from === "body" ? (["s", "n"] as const) : ([typeOf(source)] as const);
    return types.map((type) => hashText(source, { type, text: eventId }));
  });
}

function isNamed(source: IdentitySource): source is NamedSource {
  return ["body", "header", "query", "path"].includes(source.from);
}

/** The type of an event, from the same kind of sources; null if none has a value. */
export function readEventType(
  sources: readonly IdentitySource[],
  request: IdentifiableRequest,
): string | null {
  for (const source of sources) {
    const value = isNamed(source) ? readValue(source, request) : null;
    if (value !== null) return toPrintable(value.text);
  }
  return null;
}

type IdentityValue = { readonly text: string; readonly type: "s" | "n" | "h" | "q" | "p" };

function readValue(source: NamedSource, request: IdentifiableRequest): IdentityValue | null {
  if (source.from === "body") return readBody(request, source.path);
  const text = readText(source, request);
  return text === "" ? null : { text, type: typeOf(source) };
}

type TextSource = Exclude<NamedSource, { from: "body" }>;

/** Of a name that is given twice, the first value counts. */
function readText(source: TextSource, request: IdentifiableRequest): string {
  const { headers, path = "", query = "" } = request;
  switch (source.from) {
    case "header":
      return headers[source.name]?.[0] ?? "";
    case "query":
      return (query === "" ? null : new URLSearchParams(query).get(source.name)) ?? "";
    case "path":
      return decodeSegment(path.split("/")[source.segment] ?? "");
    default:
      return source satisfies never;
  }
}

/** The text as sent if it has an escape that isn't UTF-8. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function typeOf({ from }: TextSource): "h" | "q" | "p" {
  return from === "header" ? "h" : from === "query" ? "q" : "p";
}

function readBody({ payload }: IdentifiableRequest, path: string): IdentityValue | null {
  if (payload.kind === "none") return null;
  const steps = toBodySteps(path, payload.value);
  const value = readValueAt(payload.value, steps);
  const sent = payload.fields === undefined ? undefined : readPath(payload.fields, path);
  if (typeof value === "string") return value === "" ? null : { text: value, type: "s" };
  if (typeof value === "number") return { text: exactNumber(value, payload, steps), type: "n" };
  // An object, an array, true, or null identifies nothing, but the text of a form field does.
  return typeof sent === "string" && sent !== "" ? { text: sent, type: "s" } : null;
}

/** `JSON.parse` rounds beyond 2^53, which could merge two ids, so the original digits are read. */
function exactNumber(value: number, payload: Payload, steps: readonly PathStep[]): string {
  if (Number.isSafeInteger(value) || payload.kind === "none" || payload.text === null)
    return String(value);
  return findNumberSource(payload.text, steps) ?? String(value);
}

function hashValue(
  source: NamedSource,
  value: IdentityValue,
  { body, payload }: IdentifiableRequest,
): Buffer {
  // Invalid UTF-8 was replaced by U+FFFD, which could make different ids equal, so the bytes
  // decide.
  const isDamaged =
    payload.kind === "json" &&
    !payload.isUtf8 &&
    value.type === "s" &&
    value.text.includes("\ufffd");
  return isDamaged ? hashBody(body) : hashText(source, value);
}

function hashText(source: NamedSource, { type, text }: IdentityValue): Buffer {
  const name = nameOf(source);
  const bytes = Buffer.from(`${type}${name.length}:${name}${text}`, "utf16le");
  return hash("sha256", bytes, "buffer");
}

function nameOf(source: NamedSource): string {
  if (source.from === "body") return nameInHash(source.path);
  return source.from === "path" ? String(source.segment) : source.name;
}

const maxPrintableLength = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: text columns reject NUL
const controls = /[\u0000-\u001f\u007f]/g;

function toPrintable(text: string): string {
  return shorten(text, maxPrintableLength).replace(controls, "\ufffd").toWellFormed();
}
