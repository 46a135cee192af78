import { randomBytes } from "node:crypto";
import { AppError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import { readReceiverOrigin } from "#lib/core/sending/address/broker-receiver.ts";
import { openRow } from "#lib/core/sending/credential/open-saved.ts";
import { readSavedRows } from "#lib/db/credentials/read-saved.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { dismissNotice as hideNotice } from "#lib/db/subscriptions/notices.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import {
  completeChallenge,
  markDisabled,
  markEnabled,
  recordFailedChallenge,
} from "#lib/db/subscriptions/subscription-status.ts";
import { getSubscription, lockSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { challengeReceiver } from "#lib/net/challenge/challenge-receiver.ts";
import { type ClientIdentity, toIdentity } from "#lib/net/identity-connections.ts";
import { byId } from "#lib/schema/field/common.ts";
import { portalTestClient, testClient } from "#lib/services/actions/test-client.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit, auditWithoutChange } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { toSubscriptionTarget } from "./subscription-rules.ts";

/**
 * Enables a disabled subscription: held runs start at once. A pending one gets another challenge,
 * and `conflict` says why it failed. In the portal, that is a separate command: `checkReceiver`.
 */
export const enableSubscription = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<SubscriptionRecord> => {
    const { db, actor } = context;
    const scope = recipientScope(actor);
    const before = await getSubscription(db, actor.accountId, id, scope);
    if (before.status === "pending" && actor.type !== "portal")
      return await checkReceiver(context, { id });
    const enabled = await db.$transaction(async (tx) => {
      const { status } = await lockSubscription(tx, actor.accountId, id, scope);
      if (status === "pending")
        throw new AppError("conflict", "The receiver URL has to answer the challenge first.");
      if (status === "disabled") await markEnabled(tx, id);
      const after = await getSubscription(tx, actor.accountId, id);
      const targets = [toSubscriptionTarget(after)];
      await audit(context, { event: "subscription.enabled", targets }, tx);
      return after;
    });
    notifyRunsDue(db);
    return enabled;
  },
});

/** Disables a subscription: it gets no events until it is enabled, and its open runs are held. */
export const disableSubscription = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<SubscriptionRecord> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      const { status } = await lockSubscription(tx, actor.accountId, id, recipientScope(actor));
      if (status === "pending")
        throw new AppError(
          "conflict",
          "This subscription is pending, so it gets no events. Delete it if it isn't wanted.",
        );
      await markDisabled(tx, id);
      const after = await getSubscription(tx, actor.accountId, id);
      const targets = [toSubscriptionTarget(after)];
      await audit(context, { event: "subscription.disabled", targets }, tx);
      return after;
    });
  },
});

/**
 * Challenges the receiver URL of a pending subscription again. Throws `conflict` if it doesn't
 * answer.
 */
export const checkReceiver = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<SubscriptionRecord> => {
    const { db, actor } = context;
    const before = await getSubscription(db, actor.accountId, id, recipientScope(actor));
    const after = await checkChallenge(context, before);
    if (after.status === "pending")
      throw new AppError(
        "conflict",
        after.statusReason?.detail ?? "The receiver URL didn't answer.",
      );
    await auditWithoutChange(context, {
      event: "subscription.checked",
      targets: [toSubscriptionTarget(after)],
    });
    return after;
  },
});

/** Hides a notice about a subscription. Throws `not_found`. */
export const dismissNotice = service({
  permission: "subscriptions:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      await hideNotice(tx, context.actor.accountId, id);
      await audit(context, { event: "notice.dismissed", targets: [{ type: "notice", id }] }, tx);
    });
  },
});

/** The minimum pause between calls to one receiver URL, which may be anyone's. */
const pauseMs = 2_000;
const maxKnown = 1_000;
/** The time of the last challenge by receiver URL, most recent last. */
const asked = new Map<string, number>();

/** The limit keeps users from making us call many URLs that aren't theirs. */
const perRecipient = new RateLimiter({ burst: 20, ratePerSecond: 10 / 60, now: () => Date.now() });
const perAccount = new RateLimiter({ burst: 100, ratePerSecond: 1, now: () => Date.now() });

/**
 * Challenges the receiver URL of a pending subscription, and activates it if it answers. The caller
 * has read the subscription for its account and recipient. Returns it as it is now. Throws
 * `rate_limited` if too many URLs were asked.
 */
export async function checkChallenge(
  context: ServiceParts,
  subscription: SubscriptionRecord,
): Promise<SubscriptionRecord> {
  if (subscription.status !== "pending") return subscription;
  const exceeded = findExceeded(subscription);
  if (exceeded === null) return await challenge(context, subscription);
  const { detail, retryAfterSeconds } = exceeded;
  throw new AppError("rate_limited", `${detail} Try again ${inSeconds(retryAfterSeconds)}.`, {
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}

/**
 * Challenges a receiver URL that was just saved. If too many were asked, the subscription stays
 * pending and says so.
 */
export async function challengeNewUrl(
  context: ServiceParts,
  subscription: SubscriptionRecord,
): Promise<SubscriptionRecord> {
  const { id, accountId, receiverUrl, status } = subscription;
  if (status !== "pending") return subscription;
  const exceeded = findExceeded(subscription);
  if (exceeded === null) return await challenge(context, subscription);
  const wait = inSeconds(exceeded.retryAfterSeconds);
  const detail = `It was not asked yet. ${exceeded.detail} Check it again ${wait}.`;
  return await recordFailedChallenge(context.db, accountId, { id, receiverUrl }, detail);
}

async function challenge(
  context: ServiceParts,
  subscription: SubscriptionRecord,
): Promise<SubscriptionRecord> {
  const { db, env } = context;
  const { id, accountId, receiverUrl, receiverByPortal } = subscription;
  const client = receiverByPortal ? portalTestClient(env) : testClient(env);
  const identity = await readIdentity(context, subscription);
  const result = await challengeReceiver(client, {
    receiverUrl,
    ...(identity !== null && { identity }),
    challenge: randomBytes(24).toString("base64url"),
    origin: new URL(env.publicUrl).hostname,
    version: packageJson.version,
  });
  const answered = { id, receiverUrl };
  if (result.ok) return await completeChallenge(db, accountId, answered);
  log.info("challenge.failed", { subscriptionId: id, accountId, cause: result.cause });
  return await recordFailedChallenge(db, accountId, answered, challengeFailed);
}

/** The client certificate of its calls. Null: it has none. */
async function readIdentity(
  { db, sealer }: ServiceParts,
  { accountId, receiverUrl, credentialId }: SubscriptionRecord,
): Promise<ClientIdentity | null> {
  if (credentialId === null) return null;
  const { credentials } = await readSavedRows(db, accountId, { credentialId });
  const [row] = credentials;
  if (row === undefined) return null;
  return toIdentity(openRow(sealer, accountId, row, readReceiverOrigin(receiverUrl)));
}

/** The sentence is always the same: it reveals nothing about hosts, ports, and responses. */
const challengeFailed =
  "The receiver URL didn't answer the challenge. It has 10 seconds to " +
  "return the webhook-challenge header with a 2xx status.";

function inSeconds(seconds: number): string {
  return seconds === 1 ? "in a second" : `in ${seconds} seconds`;
}

type Exceeded = { readonly detail: string; readonly retryAfterSeconds: number };

/** Null: the URL may be called now. */
function findExceeded({
  id,
  accountId,
  recipient,
  receiverUrl,
}: SubscriptionRecord): Exceeded | null {
  const key = `${id} ${receiverUrl}`;
  const nowMs = performance.now();
  if (nowMs - (asked.get(key) ?? Number.NEGATIVE_INFINITY) < pauseMs)
    return { detail: "This receiver URL was asked a moment ago.", retryAfterSeconds: 2 };
  const ofRecipient = recipient === null ? 0 : perRecipient.take(`${accountId} ${recipient}`);
  if (ofRecipient > 0)
    return {
      detail: "Too many receiver URLs of this recipient were asked.",
      retryAfterSeconds: ofRecipient,
    };
  const ofAccount = perAccount.take(accountId);
  if (ofAccount > 0)
    return {
      detail: "Too many receiver URLs of this account were asked.",
      retryAfterSeconds: ofAccount,
    };
  recordAsked(key, nowMs);
  return null;
}

function recordAsked(key: string, nowMs: number): void {
  asked.delete(key);
  asked.set(key, nowMs);
  const [oldest] = asked.keys();
  if (asked.size > maxKnown && oldest !== undefined) asked.delete(oldest);
}
