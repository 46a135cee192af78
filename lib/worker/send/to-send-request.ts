import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { callbackHeader, toOccurrence } from "#lib/core/sending/event-occurrence.ts";
import { toEventBusRequest } from "#lib/core/sending/receivers/to-event-bus-request.ts";
import { toQueueRequest } from "#lib/core/sending/receivers/to-queue-message.ts";
import { signEvent } from "#lib/core/sending/sign-event.ts";
import type { ClaimedSend } from "#lib/db/queue/claimed-run.ts";
import type { RunEvent, SendTarget } from "#lib/db/queue/load-send-inputs.ts";
import type { BrokerMessage } from "#lib/net/brokers/broker-channel.ts";
import type { SettingsOf } from "#lib/schema/send/receiver-settings.ts";
import type { SendConfig } from "../config/send-config.ts";

export type SendParts = {
  readonly event: RunEvent;
  readonly config: SendConfig;
  readonly target: SendTarget;
  readonly nowMs: number;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
};

/** The fields of a message to a broker besides its headers. */
export type BrokerAddress =
  | ({ readonly kind: "rabbitmq" } & Pick<
      BrokerMessage,
      "exchange" | "routingKey" | "messageId" | "type"
    >)
  | ({ readonly kind: "kafka"; readonly key: string } & Pick<
      SettingsOf<"kafka">,
      "topic" | "mechanism"
    >);

type SendRequest =
  | {
      readonly ok: true;
      readonly request: OutgoingRequest;
      /** Where a broker puts it. Omitted: it isn't for a broker. */
      readonly address?: BrokerAddress;
    }
  | { readonly ok: false; readonly message: string };

/** The signed event for its receiver, or why that kind of receiver can't take it. */
export function toSendRequest(
  run: ClaimedSend,
  { event, config, target, nowMs, version }: SendParts,
  keys: SendConfig["keys"],
): SendRequest {
  const { callbackId, receiverUrl: url } = target;
  const { receiver } = config;
  const body = callbackId === null ? event.body : Buffer.from(toOccurrence(event));
  if (receiver.type === "eventbridge")
    return toEventBusRequest({
      ...{ endpoint: url, body, eventType: event.type, settings: receiver, version },
    });
  const signature = signEvent({
    id: event.publicId,
    timestamp: Math.floor(nowMs / 1000),
    body,
    keys,
    headers: { ...target.signatureHeaders, ...(callbackId !== null && withStandardWebhooks) },
  });
  if (receiver.type === "sqs") {
    const message = { queueUrl: url, body, attributes: signature, version };
    const once = { runId: run.id, group: target.subscriptionId };
    return { ok: true, request: toQueueRequest({ ...message, ...once }) };
  }
  if (receiver.type === "rabbitmq") {
    const { exchange, routingKey } = receiver;
    const address = {
      ...({ kind: "rabbitmq", exchange, routingKey: routingKey ?? event.type } as const),
      ...{ messageId: event.publicId, type: event.type },
    };
    const headers = [...config.headers, ...signature];
    return { ok: true, request: { method: "PUBLISH", url, headers, body }, address };
  }
  if (receiver.type === "kafka") {
    const { topic, mechanism } = receiver;
    const address = {
      kind: "kafka",
      topic,
      key: toKey(receiver.key, event, target),
      mechanism,
    } as const;
    const headers = [jsonType, ...config.headers, ...signature];
    return { ok: true, request: { method: "PUBLISH", url, headers, body }, address };
  }
  const headers: OutgoingRequest["headers"] = [
    jsonType,
    ["user-agent", `Catchment/${version}`],
    ...config.headers,
    ...(callbackId === null ? [] : [callbackHeader(callbackId)]),
    ...signature,
  ];
  return { ok: true, request: { method: "POST", url, headers, body } };
}

/** An assistant knows these headers only, whatever the account chose. */
const withStandardWebhooks = { standardWebhooksHeaders: true };

const jsonType = ["content-type", "application/json"] as const;

/** Messages with one key are in one partition, in order. Events for no recipient are spread, unless order matters. */
function toKey(
  chosen: string | null,
  { publicId }: RunEvent,
  { recipient, isOrdered, subscriptionId }: SendTarget,
): string {
  return chosen ?? recipient ?? (isOrdered ? subscriptionId : publicId);
}
