import type { Codec } from "#components/ui/form/codec.ts";
import { readBrokerKind } from "#lib/schema/act/broker-origin.ts";
import {
  hasSettings,
  type ReceiverKind,
  type SettingsKind,
} from "#lib/schema/send/receiver-kind.ts";
import type { ReceiverSettings, SettingsOf } from "#lib/schema/send/receiver-settings.ts";

/** The settings of every kind of receiver. Only those of its type are sent. */
export type ReceiverDraft = {
  /** Empty: a URL, or a kind without settings. */
  readonly type: SettingsKind | "";
  readonly eventBus: string;
  readonly source: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly topic: string;
  readonly key: string;
  readonly mechanism: SettingsOf<"kafka">["mechanism"];
};

const empty: ReceiverDraft = {
  ...({ type: "", eventBus: "", source: "", exchange: "", routingKey: "" } as const),
  ...({ topic: "", key: "", mechanism: "plain" } as const),
};
const fieldsOf = {
  eventbridge: ["eventBus", "source"],
  rabbitmq: ["exchange", "routingKey"],
  kafka: ["topic", "key", "mechanism"],
} as const;

/** An empty field is its default. */
export const receiverCodec: Codec<ReceiverSettings | null, ReceiverDraft> = {
  text: (settings) => {
    const routingKey = settings?.type === "rabbitmq" ? (settings.routingKey ?? "") : "";
    const key = settings?.type === "kafka" ? (settings.key ?? "") : "";
    return { ...empty, ...settings, routingKey, key };
  },
  read: (draft) => {
    const { type } = draft;
    if (type === "") return null;
    const typed = fieldsOf[type].map((name) => [name, draft[name].trim()]);
    return { type, ...Object.fromEntries(typed.filter(([, text]) => text !== "")) };
  },
};

/** The kind whose settings a form asks for. Empty: none. The URL says it, or else the kind of the credential. */
export function toSettingsKind(
  receiverUrl: string,
  credential: ReceiverKind | null | undefined,
): SettingsKind | "" {
  if (readBrokerKind(receiverUrl) === "kafka") return "kafka";
  const kind = credential ?? "http";
  return hasSettings(kind) ? kind : "";
}
