import { isBrokerUrl } from "#lib/schema/act/broker-origin.ts";
import type { CredentialSettings } from "#lib/schema/act/credential.ts";
import { type ReceiverSettings, receiverSettings } from "#lib/schema/send/receiver-settings.ts";

/** Where a subscription's events go: to a URL, or to another kind of receiver. */
export type ReceiverKind = "http" | "sqs" | ReceiverSettings["type"];

const awsKinds: Readonly<Record<string, ReceiverKind>> = { sqs: "sqs", events: "eventbridge" };

/**
 * The kind of receiver that a saved credential is for. Null: subscriptions can't use it.
 *
 * @param auth the credential, or what is shown of it
 * @param url its origin, or the receiver's URL
 */
export function toReceiverKind(
  auth: Pick<CredentialSettings, "type"> & { readonly service?: string },
  url: string,
): ReceiverKind | null {
  if (isBrokerUrl(url)) return auth.type === "basic" ? "rabbitmq" : null;
  if (auth.type === "certificate") return "http";
  return auth.type === "aws" ? (awsKinds[auth.service ?? ""] ?? null) : null;
}

/** The kinds that have settings. */
export type SettingsKind = ReceiverSettings["type"];

export function hasSettings(kind: ReceiverKind): kind is SettingsKind {
  return kind !== "http" && kind !== "sqs";
}

/** False: the receiver rewrites the bytes, so a signature couldn't be verified. */
export function isSigned(kind: ReceiverKind | ""): boolean {
  return kind !== "eventbridge";
}

/** The settings of a kind of receiver: those that are stored, or the defaults. Null: it has none. */
export function withDefaults(
  kind: ReceiverKind | null,
  stored: ReceiverSettings | null,
): ReceiverSettings | null {
  if (stored !== null || kind === null || !hasSettings(kind)) return stored;
  return receiverSettings.parse({ type: kind });
}
