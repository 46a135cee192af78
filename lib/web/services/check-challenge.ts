import { randomBytes } from "node:crypto";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import {
  completeChallenge,
  noteFailedChallenge,
} from "#lib/db/subscriptions/subscription-status.ts";
import { AppError } from "#lib/errors.ts";
import { challengeReceiver } from "#lib/net/challenge-receiver.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { testClient } from "./test-client.ts";

/** A receiver URL must not be called more often than this: it may be anyone's. */
const pauseMs = 2_000;
const maxKnown = 1_000;
/** When a receiver URL was last asked, by URL. Most recent last. */
const asked = new Map<string, number>();

/**
 * Challenges the receiver URL of a pending subscription, and activates it if it answers. The caller
 * has read the subscription for its account and recipient. Returns it as it is now.
 */
export async function checkChallenge(
  { db, env }: ServerContext,
  subscription: SubscriptionRecord,
): Promise<SubscriptionRecord> {
  const { id, accountId, receiverUrl, status } = subscription;
  if (status !== "pending") return subscription;
  requirePause(`${id} ${receiverUrl}`, performance.now());
  const result = await challengeReceiver(testClient(env), {
    receiverUrl,
    challenge: randomBytes(24).toString("base64url"),
    origin: new URL(env.publicUrl).hostname,
  });
  const answered = { id, receiverUrl };
  return result.ok
    ? await completeChallenge(db, accountId, answered)
    : await noteFailedChallenge(db, accountId, answered, result.detail);
}

function requirePause(key: string, nowMs: number): void {
  if (nowMs - (asked.get(key) ?? Number.NEGATIVE_INFINITY) < pauseMs) {
    throw new AppError("rate_limited", "It was checked a moment ago. Try again in a few seconds.", {
      headers: { "retry-after": "2" },
    });
  }
  asked.delete(key);
  asked.set(key, nowMs);
  const [oldest] = asked.keys();
  if (asked.size > maxKnown && oldest !== undefined) asked.delete(oldest);
}
