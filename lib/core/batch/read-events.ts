import type { DistinctHeaders } from "#lib/core/http/http-types.ts";
import { classifyContentType } from "#lib/core/payload/content-kind.ts";
import { hasOtherCharset } from "#lib/core/payload/decode-text.ts";
import { type ReadBody, readByBytes } from "#lib/core/payload/read-by-bytes.ts";
import { type Payload, readDeclared } from "#lib/core/payload/read-payload.ts";
import { type HookEvent, toHookEvent } from "#lib/core/sender/hook-event.ts";
import { type EventRules, type FoundEvents, findEvents } from "./find-events.ts";
import type { BatchEvent } from "./split-batch.ts";

export type ReadEventsInput = {
  readonly rules: EventRules;
  /** True if a signature covers the body. Then the bytes decide how it is read, not its headers. */
  readonly isVerified: boolean;
  readonly headers: DistinctHeaders;
  /** The body as sent. */
  readonly body: Uint8Array;
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
  if (payload.kind === "none" && payload.code === "invalid_json" && !isToken)
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

/**
 * The payload that is published: by its declared charset, as actions send it. Most bodies are UTF-8,
 * and aren't read again.
 */
function readShown({ bytes, contentType }: ReadBody, identified: Payload): Payload {
  if (contentType === null) return identified;
  const mayDiffer =
    hasOtherCharset(contentType) || classifyContentType(contentType) === "multipart";
  if (!mayDiffer) return identified;
  const { payload } = readDeclared(bytes, contentType);
  return payload.kind === identified.kind ? payload : identified;
}
