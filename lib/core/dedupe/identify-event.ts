import { createHash, hash } from "node:crypto";
import type { DistinctHeaders } from "#lib/core/http/http-types.ts";
import { readValueAt } from "#lib/core/json/read-value.ts";
import type { Payload } from "#lib/core/payload/read-payload.ts";
import type { PathStep } from "#lib/schema/field/value-path.ts";
import { shorten } from "#lib/shorten.ts";
import { nameInHash, readPath, toBodySteps } from "./body-path.ts";
import { findNumberSource } from "./number-source.ts";
import { omitValues } from "./omit-values.ts";

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
  | { readonly from: "body"; readonly path: string }
  | { readonly from: "header"; readonly name: string }
  | { readonly from: "content"; readonly except?: readonly string[] | undefined };

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

export type IdentifiableRequest = {
  readonly headers: DistinctHeaders;
  readonly body: Uint8Array;
  readonly payload: Payload;
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
  // All empty bodies are equal.
  if (source.from === "content")
    return request.body.byteLength === 0
      ? null
      : { text: null, keyHash: hashContent(request, source.except) };
  const value =
    source.from === "header"
      ? readHeader(request.headers, source.name)
      : readBody(request, source.path);
  return value === null ? null : { text: value.text, keyHash: hashValue(source, value, request) };
}

/** Null unless all are present. */
function readAll(parts: readonly IdentityPart[], request: IdentifiableRequest): Found | null {
  const combined = createHash("sha256").update("a");
  const texts: string[] = [];
  let isNamed = false;
  for (const part of parts) {
    const found = readPart(part, request);
    if (found === null) return null;
    combined.update(found.keyHash);
    texts.push(found.text ?? toShortHash(found.keyHash));
    isNamed ||= found.text !== null;
  }
  return { text: isNamed ? texts.join(":") : null, keyHash: combined.digest() };
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
    if (source.from === "content" || source.from === "all") return [];
    const types = source.from === "header" ? (["h"] as const) : (["s", "n"] as const);
    return types.map((type) => hashText(source, { type, text: eventId }));
  });
}

/** The type of an event, from the same kind of sources; null if none has a value. */
export function readEventType(
  sources: readonly IdentitySource[],
  request: IdentifiableRequest,
): string | null {
  for (const source of sources) {
    if (source.from === "content" || source.from === "all") continue;
    const value =
      source.from === "header"
        ? readHeader(request.headers, source.name)
        : readBody(request, source.path);
    if (value !== null) return toPrintable(value.text);
  }
  return null;
}

type NamedSource = Exclude<IdentityPart, { from: "content" }>;
type IdentityValue = { readonly text: string; readonly type: "s" | "n" | "h" };

function readHeader(headers: DistinctHeaders, name: string): IdentityValue | null {
  const value = headers[name]?.[0];
  return value === undefined || value === "" ? null : { text: value, type: "h" };
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
  const name = source.from === "header" ? source.name : nameInHash(source.path);
  const bytes = Buffer.from(`${type}${name.length}:${name}${text}`, "utf16le");
  return hash("sha256", bytes, "buffer");
}

/** `except` only applies to JSON. Its values are left out, and the rest stays as sent. */
function hashContent(
  { body, payload }: IdentifiableRequest,
  except: readonly string[] | undefined,
): Buffer {
  if (except === undefined || payload.kind !== "json" || !payload.isUtf8) return hashBody(body);
  const paths = except.map((path) => toBodySteps(path, payload.value));
  return hashBody(Buffer.from(omitValues(payload.text, paths)));
}

function hashBody(body: Uint8Array): Buffer {
  return createHash("sha256").update("c").update(body).digest();
}

const maxPrintableLength = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: text columns reject NUL
const controls = /[\u0000-\u001f\u007f]/g;

function toPrintable(text: string): string {
  return shorten(text, maxPrintableLength).replace(controls, "\ufffd").toWellFormed();
}
