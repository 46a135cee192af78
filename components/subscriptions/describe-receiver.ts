import type { ReceiverKind } from "#lib/schema/send/receiver-kind.ts";
import type { ReceiverDraft } from "./draft/receiver-draft.ts";

/** The label of a receiver's URL. */
export const receiverWords: Readonly<Record<ReceiverKind, string>> = {
  http: "Receiver URL",
  sqs: "Amazon SQS queue",
  eventbridge: "Amazon EventBridge endpoint",
  rabbitmq: "RabbitMQ broker",
  kafka: "Kafka cluster",
};

/** How a login is shown to Kafka. */
export const saslWords: Readonly<Record<ReceiverDraft["mechanism"], string>> = {
  plain: "PLAIN",
  "scram-sha-256": "SCRAM-SHA-256",
  "scram-sha-512": "SCRAM-SHA-512",
};

/** The settings that only this kind of receiver has. */
export function describeReceiver(
  draft: ReceiverDraft,
): readonly (readonly [name: string, value: string])[] {
  switch (draft.type) {
    case "":
      return [];
    case "eventbridge":
      return [
        ["Event bus", draft.eventBus],
        ["Source", draft.source],
      ];
    case "rabbitmq":
      return [
        ["Exchange", draft.exchange === "" ? "The default one" : draft.exchange],
        ["Routing key", draft.routingKey === "" ? "The event's type" : draft.routingKey],
      ];
    case "kafka":
      return [
        ["Topic", draft.topic],
        ["Message key", draft.key === "" ? "The recipient" : draft.key],
        ["SASL mechanism", saslWords[draft.mechanism]],
      ];
    default:
      return draft.type satisfies never;
  }
}
