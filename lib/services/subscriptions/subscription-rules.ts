import { AppError, invalidField } from "#lib/base/errors.ts";
import { checkReceiverUrl, readReceiverOrigin } from "#lib/core/sending/address/broker-receiver.ts";
import { toFieldCode } from "#lib/core/sending/address/check-url.ts";
import { portalBlockedMessage } from "#lib/core/sending/portal-blocked-message.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import { holdCredential } from "#lib/db/credentials/credentials.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { countSecrets } from "#lib/db/subscriptions/subscription-secrets.ts";
import { countOfRecipient } from "#lib/db/subscriptions/subscriptions.ts";
import type { AuditTarget } from "#lib/schema/account/audit.ts";
import { type ReceiverKind, toReceiverKind } from "#lib/schema/send/receiver-kind.ts";
import type { Actor } from "#lib/services/frame/actor.ts";
import { requireOtherServer } from "#lib/services/frame/require-other-server.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

const maxSubscriptions = 1_000;
/** The maximum per subscription. More would make every call's signature header longer. */
const maxSecrets = 10;

export type NewSubscription = {
  readonly subscription: SubscriptionRecord;
  /** The secret in plain text. It can't be read again later. */
  readonly secret: string;
};

export type CreatedSubscription = NewSubscription & {
  /** The first subscription with the same receiver URL and recipient. Null: there is none. */
  readonly firstId: string | null;
};

export type UpdatedSubscription = SubscriptionRecord & Pick<CreatedSubscription, "firstId">;

/** A subscription as the audit log names it. */
export function toSubscriptionTarget({ id, receiverUrl }: SubscriptionRecord): AuditTarget {
  return { type: "subscription", id, name: URL.parse(receiverUrl)?.host ?? id };
}

/** Throws `invalid_request` for a receiver URL that the actor may not enter. */
export function requireReceiverUrl(receiverUrl: string, { env, actor }: ServiceContext): void {
  const isPortal = actor.type === "portal";
  const allowList = isPortal ? env.portalEgressAllow : env.egressAllow;
  const checked = checkReceiverUrl(receiverUrl, allowList);
  if (!checked.ok) {
    const isBlocked = checked.code === "blocked" && isPortal;
    const message = isBlocked ? portalBlockedMessage : checked.message;
    throw invalidField("receiverUrl", message, toFieldCode(checked.code));
  }
  const instead = "Use the URL of another system";
  requireOtherServer(checked.url, { env }, { path: "receiverUrl", instead });
}

type Receiver = Pick<
  SubscriptionRecord,
  "receiverUrl" | "credentialId" | "headersCiphertext" | "receiver"
>;

/**
 * Returns the kind of a subscription's receiver, which its saved credential says. Throws `invalid_request` if its calls
 * can't have that credential, or its settings are for another kind. The credential stays until the transaction ends.
 */
export async function requireReceiver(
  tx: Transaction,
  context: ServiceContext,
  given: Receiver,
): Promise<ReceiverKind> {
  const kind = await requireCredential(tx, context, given);
  if (kind === "kafka" && given.receiver === null)
    throw invalidField("receiver", "is required: a message for Kafka needs a topic", "required");
  // Without a credential, nothing else keeps it there.
  if (kind === "http" && given.receiver?.type === "kafka" && context.actor.type === "portal")
    throw invalidField("receiverUrl", "must stay at the Kafka cluster that it has", "conflict");
  if (given.receiver !== null && given.receiver.type !== kind)
    throw invalidField(
      "receiver",
      `is for ${given.receiver.type}, which needs a credential of that kind. Set it to null for ${kind}`,
      "conflict",
    );
  if (kind === "http") return kind;
  if (given.headersCiphertext !== null && !takesHeaders.has(kind))
    throw invalidField("headers", `must be empty: ${kind} takes none`, "not_allowed");
  if (kind === "eventbridge" && URL.parse(given.receiverUrl)?.pathname !== "/")
    throw invalidField(
      "receiverUrl",
      "must be an endpoint without a path, such as https://events.eu-west-1.amazonaws.com",
    );
  return kind;
}

const takesHeaders: ReadonlySet<ReceiverKind> = new Set(["rabbitmq", "kafka"]);

async function requireCredential(
  tx: Transaction,
  { actor }: ServiceContext,
  { credentialId, receiverUrl }: Receiver,
): Promise<ReceiverKind> {
  if (credentialId === null) {
    const kind = toReceiverKind(null, receiverUrl);
    if (kind !== null) return kind;
    throw invalidField("credentialId", "is required: a broker needs a user name", "required");
  }
  const found = await holdCredential(tx, actor.accountId, credentialId);
  if (found === null)
    throw invalidField("credentialId", "there is no credential with this id", "not_found");
  const kind = toReceiverKind(found.settings, found.origin);
  if (kind === null)
    throw invalidField(
      "credentialId",
      "must be a client certificate, an AWS access key for the service sqs or events, or the login of a broker",
      "not_allowed",
    );
  requireOrigin(found.origin, receiverUrl, actor);
  return kind;
}

function requireOrigin(origin: string, receiverUrl: string, actor: Actor): void {
  const given = readReceiverOrigin(receiverUrl);
  if (origin === given) return;
  if (actor.type === "portal")
    throw invalidField(
      "receiverUrl",
      `must stay at ${origin}: its calls have a credential for it`,
      "conflict",
    );
  const message = `is for ${origin}, and the receiver URL is at ${given}`;
  throw invalidField("credentialId", message, "conflict");
}

/**
 * The status of a subscription with a new receiver URL. One that was entered in the portal always
 * has to answer the challenge first. Another kind can't: its owner says who may send to it.
 */
export async function statusOfNewUrl(
  tx: Transaction,
  { actor }: ServiceContext,
  kind: ReceiverKind,
): Promise<Pick<SubscriptionRecord, "status" | "statusReason">> {
  const isChallenged =
    kind === "http" &&
    (actor.type === "portal" || (await readSenderSettings(tx, actor.accountId)).challengeNewUrls);
  return isChallenged
    ? { status: "pending", statusReason: awaitsChallenge }
    : { status: "active", statusReason: null };
}

const awaitsChallenge = {
  code: "challenge",
  detail: "The receiver URL has not answered the challenge yet.",
} as const;

/**
 * Throws `conflict` if the recipient has as many subscriptions as it may. Locks the account, so that
 * two callers can't both add the last one.
 */
export async function requireRoom(
  tx: Transaction,
  accountId: string,
  recipient: string | null,
): Promise<void> {
  await lockAccount(tx, accountId);
  if ((await countOfRecipient(tx, accountId, recipient)) < maxSubscriptions) return;
  throw new AppError("conflict", `A recipient has at most ${maxSubscriptions} subscriptions.`);
}

/** Throws `conflict` if the subscription has as many secrets as it may. */
export async function requireRoomForSecret(tx: Transaction, id: string): Promise<void> {
  if ((await countSecrets(tx, id)) < maxSecrets) return;
  const detail =
    `A subscription has at most ${maxSecrets} secrets at a time. Wait for ` +
    "one to expire, or set expirePreviousAfterSeconds to 0.";
  throw new AppError("conflict", detail);
}
