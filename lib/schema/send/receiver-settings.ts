/** The settings that only one kind of receiver has. */
import { z } from "zod";

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html. */
const eventbridge = z.strictObject({
  type: z.literal("eventbridge").describe("The kind of receiver, as the credential says"),
  eventBus: z
    .string({ error: "must be text" })
    .trim()
    .max(1_600, "must have at most 1600 characters")
    .regex(
      /^(?:arn:aws[\w-]*:events:[a-z0-9-]+:\d{12}:event-bus\/)?[/.\-_A-Za-z0-9]+$/,
      "must be the name or ARN of an event bus, such as orders",
    )
    .default("default")
    .describe("For `eventbridge`: the name or ARN of the event bus"),
  source: z
    .string({ error: "must be text" })
    .trim()
    .max(256, "must have at most 256 characters")
    .regex(
      /^(?!aws\.)[/.\-_A-Za-z0-9]+$/i,
      "must be letters, digits, and ./-_, and not begin with aws.",
    )
    .default("catchment")
    .describe("For `eventbridge`: the source of the events, which rules match"),
});

/** A short string of AMQP. */
const shortString = z
  .string({ error: "must be text" })
  .refine((text) => new TextEncoder().encode(text).length <= 255, "must have at most 255 bytes");

const rabbitmq = z.strictObject({
  type: z.literal("rabbitmq").describe("The kind of receiver, as the credential says"),
  exchange: shortString
    .default("")
    .describe("For `rabbitmq`: the name of the exchange. Empty: the default one"),
  routingKey: shortString
    .nullable()
    .default(null)
    .describe("For `rabbitmq`: the routing key. Null: the event's type"),
});

/** How a login is shown to a broker of Kafka: RFC 4616, and RFC 5802 with RFC 7677. */
export const saslMechanisms = ["plain", "scram-sha-256", "scram-sha-512"] as const;

const kafka = z.strictObject({
  type: z.literal("kafka").describe("The kind of receiver, as the URL says"),
  topic: z
    .string({ error: "must be the name of a topic" })
    .trim()
    .regex(
      /^(?!\.{1,2}$)[\w.-]{1,249}$/,
      "must be the name of a topic: 1 to 249 letters, digits, and ._-",
    )
    .describe("For `kafka`: the topic. It has to exist"),
  key: z
    .string({ error: "must be text" })
    .min(1, "must not be empty. Leave it out for the default")
    .refine(
      (text) => new TextEncoder().encode(text).length <= 1_024,
      "must have at most 1024 bytes",
    )
    .nullable()
    .default(null)
    .describe(
      "For `kafka`: the key of each message. Null: the recipient. Without one, the event's id, " +
        "or with `ordered`, the subscription's id",
    ),
  mechanism: z
    .enum(saslMechanisms, { error: `must be one of ${saslMechanisms.join(", ")}` })
    .default("plain")
    .describe("For `kafka`: how the credential is shown to the brokers (SASL)"),
});

export const receiverSettings = z
  .discriminatedUnion("type", [eventbridge, rabbitmq, kafka], {
    error: "must be eventbridge, rabbitmq, or kafka",
  })
  .meta({ id: "ReceiverSettings" });
export type ReceiverSettings = z.output<typeof receiverSettings>;
export type SettingsOf<Type extends ReceiverSettings["type"]> = Extract<
  ReceiverSettings,
  { type: Type }
>;
