import { randomBytes } from "node:crypto";
import { AppError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import {
  completeChallenge,
  recordFailedChallenge,
} from "#lib/db/subscriptions/subscription-status.ts";
import { challengeReceiver } from "#lib/net/challenge-receiver.ts";
import { portalTestClient, testClient } from "#lib/services/actions/test-client.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import packageJson from "../../../package.json" with { type: "json" };

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
  { db, env }: ServiceParts,
  { id, accountId, receiverUrl, receiverByPortal }: SubscriptionRecord,
): Promise<SubscriptionRecord> {
  const client = receiverByPortal ? portalTestClient(env) : testClient(env);
  const result = await challengeReceiver(client, {
    receiverUrl,
    challenge: randomBytes(24).toString("base64url"),
    origin: new URL(env.publicUrl).hostname,
    version: packageJson.version,
  });
  const answered = { id, receiverUrl };
  if (result.ok) return await completeChallenge(db, accountId, answered);
  log.info("challenge.failed", { subscriptionId: id, accountId, cause: result.cause });
  return await recordFailedChallenge(db, accountId, answered, challengeFailed);
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
