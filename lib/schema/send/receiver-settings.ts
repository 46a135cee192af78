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

export const receiverSettings = z
  .discriminatedUnion("type", [eventbridge, rabbitmq], {
    error: "must be eventbridge or rabbitmq",
  })
  .meta({ id: "ReceiverSettings" });
export type ReceiverSettings = z.output<typeof receiverSettings>;
export type SettingsOf<Type extends ReceiverSettings["type"]> = Extract<
  ReceiverSettings,
  { type: Type }
>;
