import { readEventType } from "#lib/core/dedupe/identify-event.ts";
import { isDeeperThan } from "#lib/core/json/is-deeper-than.ts";
import { maxJsonDepth } from "#lib/core/json/parse-exact-json.ts";
import type { Payload } from "#lib/core/payload/read-payload.ts";
import { readUtf8 } from "#lib/core/payload/read-utf8.ts";
import type { HookPublish } from "#lib/schema/hook.ts";
import { eventTypeName } from "#lib/schema/sender/event-type.ts";
import { recipientId } from "#lib/schema/sender/recipient.ts";

/** A delivery as an event, to be published if it is accepted. */
export type HookEvent = {
  readonly type: string;
  readonly recipient: string | null;
  readonly dataJson: string;
  /** Why it has no recipient although it should. */
  readonly warning: string | null;
};

type ReadDelivery = {
  readonly eventType: string | null;
  readonly payload: Payload;
  /** Without their Content-Encoding. */
  readonly bytes: Uint8Array;
};

export function toHookEvent(publish: HookPublish, read: ReadDelivery): HookEvent {
  const { recipientPath } = publish;
  const recipient = recipientPath === null ? null : readRecipient(recipientPath, read);
  const isMissing = recipientPath !== null && recipient === null;
  return {
    type: publish.eventType ?? toEventType(read.eventType),
    recipient,
    dataJson: toData(read),
    warning: isMissing ? `The delivery names no recipient at ${recipientPath}.` : null,
  };
}

/** `orders/create` is `orders.create`. */
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
  // The same reader keeps all digits of a number.
  const found = readEventType([{ from: "body", path }], { headers: {}, body, payload });
  return found !== null && recipientId.safeParse(found).success ? found : null;
}

/** JSON as it was sent; a form as an object; everything else as text or base64. */
function toData({ payload, bytes }: ReadDelivery): string {
  // The event wraps it in an object.
  if (payload.kind === "json" && !isDeeperThan(payload.text, maxJsonDepth - 1))
    return payload.text.trim();
  if (payload.kind === "form") return JSON.stringify(payload.value);
  const text = readUtf8(bytes);
  return JSON.stringify(
    text === null
      ? { body: Buffer.from(bytes).toString("base64"), encoding: "base64" }
      : { body: text, encoding: "utf8" },
  );
}
