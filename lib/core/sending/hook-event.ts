import { isDeeperThan } from "#lib/core/mapping/json/is-deeper-than.ts";
import { maxJsonDepth } from "#lib/core/mapping/json/parse-exact-json.ts";
import { findMember, skipSpace, skipValue } from "#lib/core/mapping/json/walk-json.ts";
import type { Payload } from "#lib/core/mapping/payload/read-payload.ts";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import { isEventShape } from "#lib/core/verify/dedupe/event-shape.ts";
import { readEventType } from "#lib/core/verify/dedupe/identify-event.ts";
import type { HookPublish } from "#lib/schema/receive/hook.ts";
import { eventTypeName } from "#lib/schema/send/event-type.ts";
import { recipientId } from "#lib/schema/send/recipient.ts";

/** A delivery as an event, to be published if it is accepted. */
export type HookEvent = {
  readonly type: string;
  readonly recipient: string | null;
  readonly dataJson: string;
  /** The reason why a recipient is missing. */
  readonly warning: string | null;
};

type ReadDelivery = {
  readonly eventType: string | null;
  readonly payload: Payload;
  /** The bytes without their Content-Encoding. */
  readonly bytes: Uint8Array;
};

export function toHookEvent(publish: HookPublish, read: ReadDelivery): HookEvent {
  const { recipientPath } = publish;
  const recipient = recipientPath === null ? null : readRecipient(recipientPath, read);
  const isMissing = recipientPath !== null && recipient === null;
  return {
    type: publish.eventType ?? toEventType(read.eventType),
    recipient,
    dataJson: toData(publish.content, read),
    warning: isMissing ? `The delivery names no recipient at ${recipientPath}.` : null,
  };
}

/** Turns `orders/create` into `orders.create`. */
function toEventType(text: string | null): string {
  const words = (text ?? "").toLowerCase().split(/[^a-z0-9_-]+/);
  const type = words
    .filter((word) => word !== "")
    .slice(0, 10)
    .join(".")
    .slice(0, 128)
    .replace(/\.$/, "");
  return eventTypeName.safeParse(type).success ? type : "webhook.received";
}

function readRecipient(path: string, { payload, bytes: body }: ReadDelivery): string | null {
  // This reader keeps all digits of a number.
  const found = readEventType([{ from: "body", path }], { headers: {}, body, payload });
  return found !== null && recipientId.safeParse(found).success ? found : null;
}

/**
 * JSON as it was sent, a form as an object, and everything else as text or base64. If the event is
 * in an envelope such as Stripe's, only its own data, unless the hook says otherwise: receivers get
 * the envelope of the account's events.
 */
function toData(content: HookPublish["content"], { payload, bytes }: ReadDelivery): string {
  if (payload.kind === "json") {
    const isInside = content === null ? isEventShape(payload.value) : content === "data";
    const json = (isInside ? readMember(payload.text, "data") : null) ?? payload.text.trim();
    // The event wraps the data in an object.
    if (!isDeeperThan(json, maxJsonDepth - 1)) return json;
  }
  if (payload.kind === "form") return payload.text ?? JSON.stringify(payload.value);
  const text = readUtf8(bytes);
  return JSON.stringify(
    text === null
      ? { body: Buffer.from(bytes).toString("base64"), encoding: "base64" }
      : { body: text, encoding: "utf8" },
  );
}

/** The member as it was sent, with all digits of its numbers. Null: there is none. */
function readMember(text: string, name: string): string | null {
  const start = findMember(text, skipSpace(text, 0), name);
  return start === null ? null : text.slice(start, skipValue(text, start));
}
