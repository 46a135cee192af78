import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { nextDelayMs } from "#lib/core/sending/retry/retry-delay.ts";
import {
  type AlertMessage,
  type AlertProblem,
  writeAlert,
  writeDigest,
  writeRecipientAlert,
} from "#lib/core/watch/alerts/alert-message.ts";
import { openChannel } from "#lib/core/watch/alerts/open-channel.ts";
import {
  type AlertOutcome,
  type ClaimedAlert,
  finishAlert,
  readAlertProblems,
} from "#lib/db/alerts/send-queue.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { type AlertParts, sendAlert } from "#lib/net/alerts/send-alert.ts";
import type { PostResult } from "#lib/net/post-event.ts";
import { defaultRetryPolicy } from "#lib/schema/act/retry-policy.ts";

export type SendParts = AlertParts & { readonly db: SqlDatabase; readonly sealer: Sealer };

/** Sends a message and records how it went. A failure is tried again like a send. */
export async function sendClaimed(
  alert: ClaimedAlert,
  leaseId: string,
  parts: SendParts,
): Promise<void> {
  const startedAt = performance.now();
  const result = await trySend(alert, parts);
  const durationMs = Math.round(performance.now() - startedAt);
  const retryInMs = result.ok ? null : retryDelay(alert.attemptNumber, result);
  const { id, channelId, attemptNumber } = alert;
  const { ok, message } = result;
  if (!ok && retryInMs === null) log.warn("alert.failed", { id, channelId, message });
  const outcome: AlertOutcome = { isSent: ok, message, durationMs, retryInMs };
  await finishAlert(parts.db, { id, attemptNumber }, leaseId, outcome);
}

async function trySend(alert: ClaimedAlert, parts: SendParts): Promise<PostResult> {
  try {
    const problems = await readAlertProblems(parts.db, alert);
    if (problems.length === 0) return reject("The problem is no longer stored.");
    const message = writeMessage(alert, problems, parts.publicUrl);
    if (message === null) return { ok: true, message: "It was closed, and isn't over." };
    const channel = openChannel(parts.sealer, { ...alert, id: alert.channelId });
    if (channel === null) return reject("The channel can't be decrypted. Enter its secrets again.");
    return await sendAlert(channel, message, parts);
  } catch (error) {
    log.error("alert.unexpected", { id: alert.id, error: toError(error) });
    return { ...reject("Something went wrong on our side."), isPermanent: false };
  }
}

function writeMessage(
  { id, accountName: account, event, linkToken, portalName }: ClaimedAlert,
  problems: readonly AlertProblem[],
  publicUrl: string,
): AlertMessage | null {
  const about = { id: `alert_${id}`, account, publicUrl };
  if (event === "digest") return writeDigest(about, problems);
  const [problem] = problems;
  if (problem === undefined) return null;
  if (linkToken === null) return writeAlert(about, event, problem);
  const endUrl = `${publicUrl}/portal/emails/${linkToken}`;
  return writeRecipientAlert(
    { id: about.id, portalName: portalName ?? account, endUrl },
    event,
    problem,
  );
}

function reject(message: string) {
  return { ok: false, message, isPermanent: true, retryAfterMs: null } as const;
}

/** Null: it isn't tried again. */
function retryDelay(
  attemptNumber: number,
  { isPermanent, retryAfterMs }: Extract<PostResult, { ok: false }>,
): number | null {
  const { maxAttempts, ...policy } = defaultRetryPolicy;
  if (isPermanent || attemptNumber >= maxAttempts) return null;
  return nextDelayMs({ attemptNumber, policy, retryAfterMs, random: Math.random() });
}
