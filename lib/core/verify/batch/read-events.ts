import { classifyContentType } from "#lib/core/mapping/payload/content-kind.ts";
import { hasOtherCharset } from "#lib/core/mapping/payload/decode-text.ts";
import { type ReadBody, readByBytes } from "#lib/core/mapping/payload/read-by-bytes.ts";
import { type Payload, readDeclared } from "#lib/core/mapping/payload/read-payload.ts";
import { type HookEvent, toHookEvent } from "#lib/core/sending/hook-event.ts";
import type { IdentifiableRequest } from "#lib/core/verify/dedupe/content-hash.ts";
import { type EventRules, type FoundEvents, findEvents } from "./find-events.ts";
import type { BatchEvent } from "./split-batch.ts";

/** Path and query as stored: without credentials, so that a new secret makes no new event. */
export type ReadEventsInput = Omit<IdentifiableRequest, "payload"> & {
  readonly rules: EventRules;
  /** True if a signature covers the body. Then the bytes decide how it is read, not its headers. */
  readonly isVerified: boolean;
};

/** The payload of the delivery's events. `invalid` says why the request contradicts itself. */
export type ReadEvents =
  | { readonly invalid: string }
  | {
      readonly invalid: null;
      readonly whole: FoundEvents["whole"] & Publishable;
      readonly parts: readonly (Omit<BatchEvent, "payload"> & Publishable)[] | null;
    };

/** The event that the hook publishes for a delivery, if it publishes events. */
type Publishable = { readonly published?: HookEvent };

/** Identifies the events of a parsed body. Depends only on its input, so it can run anywhere. */
export function readEvents(
  input: ReadEventsInput,
  read: ReadBody,
  hashSigned: (() => Buffer) | undefined,
): ReadEvents {
  const { payload } = read;
  // A body that is a token isn't JSON, whatever its Content-Type says.
  const isToken = input.rules.batch?.list.from === "token";
  if (payload.kind === "none" && payload.code === "invalid_json" && !isToken && !isOtherText(read))
    return { invalid: payload.reason };
  const identified = input.isVerified ? readByBytes(read) : payload;
  const { whole, parts } = findEvents(input.rules, { ...input, payload: identified }, hashSigned);
  const { publish } = input.rules;
  if (publish === null) return { invalid: null, whole, parts };
  return {
    invalid: null,
    whole: {
      ...whole,
      published: toHookEvent(publish, { ...read, ...whole, payload: readShown(read, identified) }),
    },
    parts:
      parts?.map((part) => ({
        ...part,
        published: toHookEvent(publish, { ...part, bytes: part.body }),
      })) ?? null,
  };
}

/** True for JSON in a charset such as Shift_JIS, which isn't JSON if it is read as UTF-8. */
function isOtherText({ bytes, contentType }: ReadBody): boolean {
  return (
    contentType !== null &&
    hasOtherCharset(contentType) &&
    readDeclared(bytes, contentType).payload.kind === "json"
  );
}

/**
 * The payload that is published: by its declared charset, as actions send it. Most bodies are UTF-8,
 * and aren't read again.
 */
function readShown(read: ReadBody, identified: Payload): Payload {
  const { bytes, contentType, payloadField } = read;
  if (contentType === null || !mayDiffer(read)) return identified;
  const { payload } = readDeclared(bytes, contentType, payloadField);
  return payload.kind === "none" ? identified : payload;
}

/** A form can name its charset in a field. */
function mayDiffer({ bytes, contentType }: ReadBody): boolean {
  if (hasOtherCharset(contentType ?? "")) return true;
  const kind = classifyContentType(contentType);
  return kind === "multipart" || (kind === "form" && toBuffer(bytes).includes("charset"));
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
