import { readBrokerKind } from "#lib/schema/act/broker-origin.ts";
import type { CredentialSettings } from "#lib/schema/act/credential.ts";
import { type ReceiverSettings, receiverSettings } from "#lib/schema/send/receiver-settings.ts";

/** Where a subscription's events go: to a URL, or to another kind of receiver. */
export type ReceiverKind = "http" | "sqs" | ReceiverSettings["type"];

const awsKinds: Readonly<Record<string, ReceiverKind>> = { sqs: "sqs", events: "eventbridge" };

/**
 * The kind of a receiver, as its URL and its saved credential say. Null: the credential isn't one for such a URL, or
 * subscriptions can't use it.
 *
 * @param auth the credential, or what is shown of it. Null: it has none
 * @param url the receiver's URL, or the origin of the credential
 */
export function toReceiverKind(
  auth: (Pick<CredentialSettings, "type"> & { readonly service?: string }) | null,
  url: string,
): ReceiverKind | null {
  const broker = readBrokerKind(url);
  // Many clusters in private networks have no logins.
  if (broker === "kafka") return auth === null || auth.type === "basic" ? "kafka" : null;
  if (broker !== null) return auth?.type === "basic" ? broker : null;
  if (auth === null || auth.type === "certificate") return "http";
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

/**
 * The settings of a kind of receiver: those that are stored, or the defaults. Null: it has none, or one without a
 * default, such as a topic.
 */
export function withDefaults(
  kind: ReceiverKind | null,
  stored: ReceiverSettings | null,
): ReceiverSettings | null {
  if (stored !== null || kind === null || !hasSettings(kind)) return stored;
  return receiverSettings.safeParse({ type: kind }).data ?? null;
}
