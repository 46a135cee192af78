import { notFound } from "next/navigation";
import { cache } from "react";
import type { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import type { Service } from "#lib/services/frame/service.ts";
import {
  getPortalSend,
  listPortalRecoveries,
  listPortalSends,
  openPortal,
  type Portal,
} from "#lib/services/portal.ts";
import { toJobState } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { readSentVersion } from "#lib/web/events/sent-version.ts";
import { isGone } from "#lib/web/request/is-gone.ts";
import { isAboutToChange, viewAttempts } from "#lib/web/runs/delivery-runs.ts";
import { callPortalService } from "./call-portal.ts";

/** The portal of a page's link. Without one, the page says that the link no longer works. */
export const requirePortal = cache(async (token: string): Promise<Portal> => {
  const portal = await openPortal(serverContext(), token);
  if (portal === null) notFound();
  return portal;
});

/**
 * Reads the data of a page. If it doesn't exist or the link doesn't include it, the page is "not
 * found".
 */
export async function readForPage<Schema extends z.ZodType, Value>(
  token: string,
  service: Service<Schema, Value>,
  input: z.input<Schema>,
): Promise<Value> {
  try {
    return await callPortalService(serverContext(), token, service, input);
  } catch (error) {
    if (isGone(error) || (error instanceof AppError && error.code === "forbidden")) notFound();
    throw error;
  }
}

/** The newest sends of a subscription, or those of a job, by their outcome. */
export async function readSends(token: string, input: z.input<typeof listPortalSends.input>) {
  const { items, nextCursor } = await readForPage(token, listPortalSends, input);
  const nowMs = Date.now();
  const isMoving = items.some((send) => isAboutToChange(send, nowMs));
  return { nowMs, nextCursor, sends: items, isMoving };
}

/** Recent recoveries and replays of a subscription, without what only the account may see. */
export async function readRecoveries(token: string, id: string) {
  const jobs = await readForPage(token, listPortalRecoveries, { id });
  return jobs.map(({ job, kind }) => ({ ...toJobState(job), problem: null, kind }));
}

/** The limit in bytes of the page. */
const messageBudget = 200_000;

/** One send with its event's body and its attempts, cut to what a page can hold. */
export async function readSendPage(token: string, id: string) {
  const { run, subscription, event, isTransformed } = await readForPage(token, getPortalSend, {
    id,
  });
  const budget = new TextBudget(messageBudget);
  const version = event === null ? null : readSentVersion(run, event.body);
  const body =
    event === null || isTransformed ? null : budget.take(Buffer.from(event.body).toString("utf8"));
  const { status, reason, nextAttemptAt, createdAt } = run;
  const nowMs = Date.now();
  return {
    nowMs,
    isMoving: isAboutToChange(run, nowMs),
    send: { status, reason, nextAttemptAt, createdAt, version, ...viewAttempts(run, budget) },
    subscription,
    event,
    body,
  };
}
