import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { SettingsOf } from "#lib/schema/send/receiver-settings.ts";

type BusEvent = {
  /** `https://events.eu-west-1.amazonaws.com`. */
  readonly endpoint: string;
  /** An event, in UTF-8. */
  readonly body: Uint8Array;
  readonly eventType: string;
  readonly settings: SettingsOf<"eventbridge">;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
};

type BusRequest =
  | { readonly ok: true; readonly request: OutgoingRequest }
  | { readonly ok: false; readonly message: string };

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevent-size. */
const maxEntryBytes = 1_024 * 1_024;
const timeBytes = 14;

/**
 * The request that puts an event on a bus of Amazon EventBridge, to be signed for AWS:
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html. EventBridge reads `Detail` as JSON
 * and rewrites it, so no signature of ours could be verified, and none is sent.
 */
export function toEventBusRequest(given: BusEvent): BusRequest {
  const { endpoint, body, eventType, settings, version } = given;
  const { source, eventBus } = settings;
  const bytes = body.byteLength + Buffer.byteLength(source) + eventType.length + timeBytes;
  if (bytes > maxEntryBytes) return reject(`The event has ${bytes} bytes. The limit is 1 MiB`);
  const detail = Buffer.from(body).toString("utf8");
  const event = readObject(detail);
  if (event === null) return reject("The event isn't a JSON object");
  const occurredAtMs = Date.parse(String(event.timestamp));
  const entry = {
    ...{ Source: source, DetailType: eventType, Detail: detail, EventBusName: eventBus },
    ...(!Number.isNaN(occurredAtMs) && { Time: Math.floor(occurredAtMs / 1_000) }),
  };
  const request = {
    method: "POST",
    url: `${new URL(endpoint).origin}/`,
    headers: [
      ["content-type", "application/x-amz-json-1.1"],
      ["x-amz-target", "AWSEvents.PutEvents"],
      ["user-agent", `Catchment/${version}`],
    ],
    body: Buffer.from(JSON.stringify({ Entries: [entry] })),
  } as const;
  return { ok: true, request };
}

function reject(what: string): BusRequest {
  return { ok: false, message: `${what}, so Amazon EventBridge can't take it.` };
}

type EventBusFault = {
  /** `unavailable` may pass. */
  readonly code: "rejected" | "unavailable";
  readonly message: string;
};

/**
 * Reads from a response why the bus didn't take the event. Null: it did, or the status says enough.
 * EventBridge responds with 200 when it takes none.
 */
export function readEventBusFault(status: number, body: Uint8Array): EventBusFault | null {
  const response = readObject(Buffer.from(body).toString("utf8"));
  if (status === 400) {
    const type = String(response?.__type).replace(/^.*#/, "");
    if (type !== "ValidationException") return null;
    return toFault(type, response?.message ?? response?.Message);
  }
  if (status !== 200) return null;
  if (typeof response?.FailedEntryCount !== "number")
    return { code: "unavailable", message: "The response isn't one of Amazon EventBridge" };
  if (response.FailedEntryCount === 0) return null;
  const [entry] = Array.isArray(response.Entries) ? response.Entries : [];
  return toFault(String(entry?.ErrorCode ?? "no reason"), entry?.ErrorMessage);
}

function toFault(code: string, message: unknown): EventBusFault {
  const says = typeof message === "string" ? `${code}: ${message}` : code;
  return {
    code: passing.test(code) ? "unavailable" : "rejected",
    message: `The event bus didn't take the event (${says.slice(0, maxReasonChars)})`,
  };
}

const passing = /throttl|internal|unavailable|toomany|timeout|no reason/i;
const maxReasonChars = 500;

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
