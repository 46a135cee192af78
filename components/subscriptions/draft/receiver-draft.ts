import type { Codec } from "#components/ui/form/codec.ts";
import type { ReceiverSettings } from "#lib/schema/send/receiver-settings.ts";

/** The settings of every kind of receiver. Only those of its type are sent. */
export type ReceiverDraft = {
  /** Empty: a URL, or a kind without settings. */
  readonly type: ReceiverSettings["type"] | "";
  readonly eventBus: string;
  readonly source: string;
  readonly exchange: string;
  readonly routingKey: string;
};

const empty = { type: "", eventBus: "", source: "", exchange: "", routingKey: "" } as const;
const fieldsOf = {
  eventbridge: ["eventBus", "source"],
  rabbitmq: ["exchange", "routingKey"],
} as const;

/** An empty field is its default. */
export const receiverCodec: Codec<ReceiverSettings | null, ReceiverDraft> = {
  text: (settings) => {
    const routingKey = settings?.type === "rabbitmq" ? (settings.routingKey ?? "") : "";
    return { ...empty, ...settings, routingKey };
  },
  read: (draft) => {
    const { type } = draft;
    if (type === "") return null;
    const typed = fieldsOf[type].map((name) => [name, draft[name].trim()]);
    return { type, ...Object.fromEntries(typed.filter(([, text]) => text !== "")) };
  },
};
